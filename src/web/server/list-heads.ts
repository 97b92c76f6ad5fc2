import { coverageParameters, hasSources } from '../paths/coverage.ts'
import type { PageAddress } from '../paths/first-answers.ts'
import { PATHS, type PageName } from '../paths/paths.ts'
import { hasText, readSearchRequest } from '../paths/search.ts'
import type { RecordKind } from './cards.ts'
import type { RecordHead } from './page-head.ts'

interface ListHead {
  readonly kind: RecordKind
  readonly title: string
  readonly text: string
}

/** Heads of pages that show many records. */
const LISTS: Readonly<Partial<Record<PageName, ListHead>>> = {
  matrix: {
    kind: 'technique',
    title: 'Defenses',
    text: 'The techniques of MITRE D3FEND by tactic, with the attacks that each counters and the STIG rules linked to it.',
  },
  attacks: {
    kind: 'offensive-technique',
    title: 'Attacks',
    text: 'The techniques of MITRE ATT&CK by tactic, with the D3FEND techniques that counter each.',
  },
  guidance: {
    kind: 'benchmark',
    title: 'Guidance',
    text: 'STIGs and SRGs by product: their rules by category, release dates, and older releases.',
  },
  coverage: {
    kind: 'benchmark',
    title: 'Coverage',
    text: 'The techniques of D3FEND and the attacks of ATT&CK to which the rules of a STIG or an SRG are linked.',
  },
  ownList: {
    kind: 'benchmark',
    title: 'Coverage of your own list',
    text: 'Paste ids of attacks or techniques, or choose a layer of ATT&CK Navigator, a CSV or a STIX bundle, to see what covers them.',
  },
  search: {
    kind: 'rule',
    title: 'Search',
    text: 'Search STIG rules, D3FEND techniques, ATT&CK attacks, CWE weaknesses, CCIs and NIST controls by identifier or by words.',
  },
  api: {
    kind: 'resource',
    title: 'HTTP API',
    text: 'All operations of the HTTP API, by purpose, with examples that can be run here.',
  },
  sparql: {
    kind: 'resource',
    title: 'SPARQL',
    text: 'Queries over D3FEND, STIGs, SRGs, CCIs and controls, with examples.',
  },
}

/** The head of a page without a record of its own; null where it has none. */
export function headOfList(page: PageName, { query }: Pick<PageAddress, 'query'>): RecordHead | null {
  const { [page]: head } = LISTS
  if (head === undefined) return null
  if (page === 'search') return headOfSearch(head, query)
  return { ...head, path: PATHS[page] + (page === 'coverage' ? sourcesQuery(query) : '') }
}

/** The head of a page of changes between two releases of the ontology. */
export function headOfChanges({ params }: Pick<PageAddress, 'params'>): RecordHead {
  const [from, to] = [String(params['from']), String(params['to'])]
  return {
    kind: 'resource',
    title: `Changes from ${from} to ${to}`,
    text: `Records and statements that D3FEND ${to} added, changed or removed since ${from}.`,
    path: `/releases/${encodeURIComponent(from)}/changes/${encodeURIComponent(to)}`,
  }
}

/** The head of a comparison of two releases of a benchmark, by the head of each. */
export function headOfComparison(before: RecordHead, after: RecordHead): RecordHead {
  const [product = '', from = ''] = before.path.split('/').slice(-2)
  const to = after.path.split('/').at(-1) ?? ''
  return {
    kind: 'benchmark',
    title: `${after.title} since ${decodeURIComponent(from)}`,
    text: `Rules that are new, changed or removed in ${after.title} since ${before.title}, field by field.`,
    path: `/benchmarks/${product}/${from}/changes/${to}`,
  }
}

function headOfSearch(head: ListHead, query: PageAddress['query']): RecordHead {
  const request = readSearchRequest(query)
  if (!hasText(request)) return { ...head, path: PATHS.search }
  const text = request.text.trim()
  return { ...head, title: `${text} – Search`, path: `${PATHS.search}?q=${encodeURIComponent(text)}` }
}

/** The documents in the query; parameters of the view are left out. */
function sourcesQuery(query: PageAddress['query']): string {
  const parameters = coverageParameters(query)
  return hasSources(parameters) ? `?${new URLSearchParams(parameters).toString()}` : ''
}
