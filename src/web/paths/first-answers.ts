import { ONTOLOGY_RECORDS } from './ontology.ts'
import type { PageName } from './paths.ts'
import { isQuestion, readSearchRequest, searchParameters, type AddressQuery } from './search.ts'

/** The parameters of a page in its address. */
export interface PageAddress {
  /** By the names in the path of the page. */
  readonly params: Readonly<Record<string, unknown>>
  readonly query: AddressQuery
}

/** Answers of the ontology, which is in releases, that pages begin with; of the API at other paths. */
const OF_ONTOLOGY: Readonly<Partial<Record<PageName, string>>> = {
  ...ONTOLOGY_RECORDS,
  start: '/api/matrix.json',
  matrix: '/api/matrix.json',
  attacks: '/api/offensive-technique/all.json',
}
const OTHERS: Readonly<Partial<Record<PageName, readonly string[]>>> = {
  stig: ['/api/catalogue/stigs/:id.json'],
  srg: ['/api/catalogue/srgs/:id.json'],
}

/**
 * The addresses of the API that the page is sure to ask before it shows anything, letter for letter as the client of the
 * pages writes them.
 */
export function firstAnswers(page: PageName, { params, query }: PageAddress): readonly string[] {
  if (page === 'search') return searchAnswer(query)
  const { [page]: ofOntology } = OF_ONTOLOGY
  const { [page]: others = [] } = OTHERS
  const paths = ofOntology === undefined ? others : [releaseOf(query) + ofOntology]
  return paths.map((path) =>
    path.replaceAll(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(String(params[name]))),
  )
}

function searchAnswer(query: AddressQuery): readonly string[] {
  const asked = readSearchRequest(query)
  if (!isQuestion(asked)) return []
  const parameters = Object.entries(searchParameters(asked)).map(
    ([name, value]) => `${name}=${encodeURIComponent(String(value))}`,
  )
  return [`/api/search/unified?${parameters.join('&')}`]
}

function releaseOf({ release }: AddressQuery): string {
  return typeof release === 'string' && release !== '' ? `/releases/${encodeURIComponent(release)}` : ''
}
