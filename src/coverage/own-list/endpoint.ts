import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { FindSources } from '../../contracts/coverage.ts'
import { listCoverage, type FindCitingSources, type ListCoverageReports } from '../../contracts/list-coverage.ts'
import { anyone } from '../../http/access.ts'
import type { Caller } from '../../http/caller.ts'
import { endpoint, type Endpoint } from '../../http/endpoint.ts'
import { Refusal } from '../../platform/errors.ts'
import { coverageLists, coverageQuery, namesIn } from '../query.ts'
import { listBody, listsOf, listsOfFile } from './content.ts'

/** Parsing larger JSON would delay other requests. */
const MAX_BYTES = 4 * 1024 * 1024

interface ListParts {
  /** Null if there is no ontology. */
  readonly coverage: ListCoverageReports | null
  readonly findSources: FindSources<Caller | null>
  readonly findCitingSources: FindCitingSources
}

const listQuery = coverageQuery.omit({
  against_stig: true,
  against_srg: true,
  against_component: true,
  against_project: true,
})

/** `POST /api/coverage`: coverage of a list of attacks and techniques that somebody has. */
export function listEndpoint({ coverage, findSources, findCitingSources }: ListParts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/api/coverage',
    operation: 'measureList',
    tag: 'Coverage',
    summary: 'Coverage of your own list: ids, a layer of ATT&CK Navigator, a CSV or a STIX bundle',
    access: anyone,
    readsOnly: true,
    upload: 'optional',
    limited: 'uploads',
    largestFile: MAX_BYTES,
    keepsNoText: true,
    lists: coverageLists.filter((name) => name in listQuery.shape),
    input: z.object({ query: listQuery, body: listBody }),
    answer: listCoverage,
    refusals: ['no_release', 'release_not_found', 'parameter_missing', 'parameter_invalid', 'malformed_json'],
    handle: async ({ grant, input: { query, body }, upload }) => {
      if (coverage === null) throw new Refusal('no_release', 'No ontology is loaded.')
      const { list, against } = upload === null ? listsOf(body) : listsOfFile(await readFile(upload.path))
      const names = namesIn({ ...NO_OTHERS, ...query }, '')
      const namedSources = names && (await findSources(grant, names))
      const { release = null, domain: domains } = query
      return coverage.reportOnList({ release, domains, list, against, named: namedSources, findCitingSources })
    },
  })
}

const NO_OTHERS = { against_stig: [], against_srg: [], against_component: [], against_project: [] }
