import { z } from 'zod'
import type { ApiAnswer, ApiRequest, AskApi } from '../ask.ts'
import { names, text, tool, type Tool, type ToolAnswer } from './tool.ts'

const KINDS = 'technique, tactic, artifact, offensive-technique, weakness, cci, control, requirement, rule, component'

export const search: Tool = tool({
  name: 'search',
  title: 'Search techniques, attacks, weaknesses, controls and rules',
  description:
    'Finds records by words, identifiers or a question in plain words, over the D3FEND ontology (techniques, artifacts, ' +
    'ATT&CK attacks, CWE weaknesses, CCIs, NIST controls) and security guidance (SRG requirements, STIG rules). Each ' +
    'result says why it was found. Continue with "describe" or "rule" for the whole record.',
  input: z.object({
    q: text.meta({ description: 'Words, an identifier, or a question' }),
    kind: z
      .array(z.string().max(50))
      .max(20)
      .optional()
      .meta({ description: `Only these kinds: ${KINDS}` }),
    severity: z.array(z.enum(['high', 'medium', 'low'])).optional(),
    benchmark: names.meta({ description: 'Only rules of these benchmarks, such as RHEL_9_STIG' }),
    domain: z.array(z.string().max(50)).max(10).optional().meta({ description: 'Only attacks of these domains' }),
    per_page: z.int().min(1).max(50).default(10),
    page: z.int().min(1).max(1000).default(1),
  }),
  answer: async (ask, query) => ({ main: await ask({ path: '/api/search/unified', query }) }),
})

export const describe: Tool = tool({
  name: 'describe',
  title: 'Describe a technique, artifact, attack, weakness, CCI or control',
  description:
    'Looks up records by exact identifier or name: D3-AL, d3f:AccountLocking, T1110.001, CWE-79, CCI-000015, AC-2(1), an ' +
    'artifact such as d3f:UserAccount, an IRI. Unknown names get the nearest ones. "whole" adds the complete record with ' +
    'its relations, which may be long.',
  input: z.object({
    ids: z.array(z.string().max(200)).min(1).max(20),
    view: z.enum(['summary', 'whole']).default('summary'),
  }),
  answer: async (ask, { ids, view }) => {
    const main = await ask(lookUp(ids, view))
    return { main, ...(await referencesTo(ask, ids)) }
  },
})

/** Sends a body if a name has a comma, which separates names in a query. */
export function lookUp(ids: readonly string[], view: 'summary' | 'whole' = 'summary'): ApiRequest {
  const path = '/api/batch'
  return ids.some((id) => id.includes(','))
    ? { path, body: { ids, view } }
    : { path, query: { ids: ids.join(','), view } }
}

/** The entries of DISA's and NIST's lists with the official texts of CCIs and controls. */
async function referencesTo(ask: AskApi, ids: readonly string[]): Promise<Pick<ToolAnswer, 'others'>> {
  const lookups = ids.map(async (id) => {
    const path = referencePath(id.trim())
    const answer = path === null ? null : await ask({ path })
    return [id, answer] as const
  })
  const answers = (await Promise.all(lookups)).filter(
    (entry): entry is readonly [string, ApiAnswer] => entry[1]?.status === 200,
  )
  return answers.length === 0 ? {} : { others: Object.fromEntries(answers) }
}

function referencePath(id: string): string | null {
  if (/^CCI-\d{6}$/i.test(id)) return `/api/catalogue/ccis/${id.toUpperCase()}.json`
  if (/^[A-Z]{2}-\d{1,2}( ?\(\d{1,2}\))?$/i.test(id))
    return `/api/catalogue/controls/${encodeURIComponent(id.toUpperCase())}.json`
  return null
}

export const related: Tool = tool({
  name: 'related',
  title: 'What is linked to a record, and by which path',
  description:
    'Techniques, attacks, weaknesses, CCIs and rules that are linked to one record. Each link has its path: stated ' +
    'relations by way of artifacts and CCIs. A link is derived from these statements; it is not a claim that something ' +
    'is prevented. An empty list means that nothing is stated.',
  input: z.object({
    id: text.meta({ description: 'T1110, D3-AL, CWE-79, CCI-000015, AC-2(1), d3f:AccountLocking, an IRI, or a rule' }),
    page: z.int().min(1).max(1000).default(1),
    per_page: z.int().min(1).max(200).default(25),
    releases: z.enum(['latest', 'all']).default('latest'),
  }),
  answer: async (ask, { id, page, per_page, releases }) => {
    return { main: await ask({ path: '/api/related', query: { iri: id, page, per_page, releases } }) }
  },
})
