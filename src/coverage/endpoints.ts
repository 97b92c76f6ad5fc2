import { z } from 'zod'
import {
  coverageLayer,
  coverageReport,
  type Coverage,
  type CoverageSelection,
  type FindSources,
} from '../contracts/coverage.ts'
import { anyone } from '../http/access.ts'
import { DOCUMENT } from '../http/answer/answers.ts'
import type { Caller } from '../http/caller.ts'
import { endpoint, type Endpoint } from '../http/endpoint.ts'
import { Refusal } from '../platform/errors.ts'
import { csvOf } from './csv.ts'
import { coverageLists, coverageQuery, namesIn, type CoverageQuery } from './query.ts'

interface CoverageParts {
  /** Null if there is no ontology. */
  readonly coverage: Coverage | null
  readonly findSources: FindSources<Caller | null>
}

const shared = {
  method: 'get',
  tag: 'Coverage',
  access: anyone,
  lists: coverageLists,
  compresses: true,
  input: z.object({ query: coverageQuery }),
  refusals: ['no_release', 'release_not_found', 'parameter_missing', 'parameter_invalid'],
} as const

/** Reports the techniques and attacks that the ontology links to the CCIs of rules. */
export function coverageEndpoints(parts: CoverageParts): readonly Endpoint[] {
  return [report(parts), table(parts), attackLayer(parts), defenseLayer(parts)]
}

function report(parts: CoverageParts): Endpoint {
  return endpoint({
    ...shared,
    path: '/api/coverage.json',
    operation: 'getCoverage',
    summary: 'Techniques and attacks that the rules of documents are linked to, with the paths',
    answer: coverageReport,
    handle: async ({ grant, input: { query } }) => {
      const { coverage, question } = await ask(parts, grant, query)
      return coverage.report(question)
    },
  })
}

function table(parts: CoverageParts): Endpoint {
  return endpoint({
    ...shared,
    path: '/api/coverage.csv',
    operation: 'getCoverageCsv',
    summary: 'Every path from a rule to an attack, as CSV rows',
    answer: DOCUMENT,
    mediaTypes: ['text/csv'],
    handle: async ({ grant, input: { query } }) => {
      const { coverage, question } = await ask(parts, grant, query)
      const body = csvOf(await coverage.table(question))
      return { mediaType: 'text/csv; charset=utf-8', fileName: 'coverage.csv', body }
    },
  })
}

function attackLayer(parts: CoverageParts): Endpoint {
  return endpoint({
    ...shared,
    path: '/api/coverage/attack-layer.json',
    operation: 'getCoverageAttackLayer',
    summary: 'Coverage of the attacks of one domain as a layer of MITRE ATT&CK Navigator (format 4.5)',
    answer: coverageLayer,
    answerName: 'CoverageLayer',
    handle: async ({ grant, input: { query } }) => {
      const [domain = 'enterprise-attack', ...others] = query.domain
      if (others.length > 0) throw new Refusal('parameter_invalid', 'domain: a layer has one.', { parameter: 'domain' })
      const { coverage, question } = await ask(parts, grant, query)
      return coverage.attackLayer(question, domain)
    },
  })
}

function defenseLayer(parts: CoverageParts): Endpoint {
  return endpoint({
    ...shared,
    path: '/api/coverage/d3fend-layer.json',
    operation: 'getCoverageD3fendLayer',
    summary: 'Coverage of the matrix of defensive techniques, as a layer in the same format',
    answer: coverageLayer,
    answerName: 'CoverageLayer',
    handle: async ({ grant, input: { query } }) => {
      const { coverage, question } = await ask(parts, grant, query)
      return coverage.defenseLayer(question)
    },
  })
}

async function ask(
  { coverage, findSources }: CoverageParts,
  caller: Caller | null,
  query: CoverageQuery,
): Promise<{ readonly coverage: Coverage; readonly question: CoverageSelection }> {
  if (coverage === null) throw new Refusal('no_release', 'No ontology is loaded.')
  const names = namesIn(query, '')
  if (names === null) {
    const detail = 'The query needs at least one of "stig", "srg", "component" and "project".'
    throw new Refusal('parameter_missing', detail, { parameter: 'stig' })
  }
  const otherNames = namesIn(query, 'against_')
  const sources = await findSources(caller, names)
  const against = otherNames && (await findSources(caller, otherNames))
  const { release = null, domain: domains, relation: relations } = query
  return { coverage, question: { release, sources, against, domains, relations } }
}
