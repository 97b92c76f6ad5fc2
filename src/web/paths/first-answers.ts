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
/** The open document of a release of the catalogue. */
const RELEASE = '/api/catalogue/benchmarks/:benchmark/:version'
const OTHERS: Readonly<Partial<Record<PageName, readonly string[]>>> = {
  cci: ['/api/catalogue/ccis/:cci.json'],
  control: ['/api/catalogue/controls/:control.json'],
  requirement: ['/api/catalogue/requirements/:requirement.json'],
  benchmark: [`${RELEASE}/rules.json`],
  benchmarkRule: [`${RELEASE}/rules/:rule.json`, `${RELEASE}/rules.json`],
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
  return paths.map((path) => {
    const address = path.replaceAll(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(String(params[name])))
    return path.includes(':rule.') ? address + parametersOf(query) : address
  })
}

function searchAnswer(query: AddressQuery): readonly string[] {
  const asked = readSearchRequest(query)
  if (!isQuestion(asked)) return []
  const parameters = Object.entries(searchParameters(asked)).map(
    ([name, value]) => `${name}=${encodeURIComponent(String(value))}`,
  )
  return [`/api/search/unified?${parameters.join('&')}`]
}

/** The links of a rule depend on the release of the ontology. */
function parametersOf({ release }: AddressQuery): string {
  return typeof release === 'string' && release !== '' ? `?release=${encodeURIComponent(release)}` : ''
}

function releaseOf({ release }: AddressQuery): string {
  return typeof release === 'string' && release !== '' ? `/releases/${encodeURIComponent(release)}` : ''
}
