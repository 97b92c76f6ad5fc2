import { coverageParameters, hasSources } from './coverage.ts'
import { ONTOLOGY_RECORDS } from './ontology.ts'
import type { PageName } from './paths.ts'
import { hasText, readSearchRequest, searchParameters, type AddressQuery } from './search.ts'

/** The parameters of a page in its address. */
export interface PageAddress {
  /** By the names in the path of the page. */
  readonly params: Readonly<Record<string, unknown>>
  readonly query: AddressQuery
}

/** First answers of pages about the ontology; their paths depend on the release. */
const ONTOLOGY_ANSWERS: Readonly<Partial<Record<PageName, string>>> = {
  ...ONTOLOGY_RECORDS,
  start: '/api/matrix.json',
  matrix: '/api/matrix.json',
  attacks: '/api/offensive-technique/all.json',
}
/** The public document of a release of the catalogue. */
const RELEASE = '/api/catalogue/benchmarks/:benchmark/:version'
const OTHER_ANSWERS: Readonly<Partial<Record<PageName, readonly string[]>>> = {
  cci: ['/api/catalogue/ccis/:cci.json'],
  control: ['/api/catalogue/controls/:control.json'],
  requirement: ['/api/catalogue/requirements/:requirement.json'],
  benchmark: [`${RELEASE}/rules.json`],
  benchmarkChanges: ['/api/catalogue/benchmarks/:benchmark/:from/changes/:to.json'],
  changes: ['/api/releases/:from/changes/:to.json'],
  api: ['/api/openapi.json'],
  benchmarkRule: [`${RELEASE}/rules/:rule.json`, `${RELEASE}/rules.json`],
}

/**
 * The addresses of the API that the page always requests first, exactly as the client of the pages writes them: a browser
 * only uses a preloaded answer if its address is the same.
 */
export function firstAnswers(page: PageName, { params, query }: PageAddress): readonly string[] {
  if (page === 'search') return searchAnswer(query)
  if (page === 'coverage') return coverageAnswer(query)
  const { [page]: ofOntology } = ONTOLOGY_ANSWERS
  const { [page]: others = [] } = OTHER_ANSWERS
  const paths = ofOntology === undefined ? others : [releaseOf(query) + ofOntology]
  return paths.map((path) => {
    const address = withParameters(path, params)
    return path.includes(':rule.') ? address + parametersOf(query) : address
  })
}

/** The header of every page asks who is signed in, and the releases of the ontology. */
const OF_HEADER = ['/api/auth/me', '/api/releases.json']
const SUMMARY = '/api/components/:component/summary'
const RULES = '/components/:component/rules_picker'
const NAMED_RULE = '/components/:component/rules/named/:rule?histories=false'
const PRIVATE_ANSWERS: Readonly<Partial<Record<PageName, readonly string[]>>> = {
  home: ['/api/home'],
  projects: ['/projects', '/api/home'],
  project: ['/projects/:project'],
  editor: [SUMMARY, RULES, '/api/components/:component/form'],
  componentOverview: [SUMMARY, RULES],
  componentTriage: [SUMMARY],
  readiness: [SUMMARY],
  release: [SUMMARY],
}

/** The addresses that the page requests first for a signed-in person. */
export function privateAnswers(page: PageName, { params, query }: PageAddress): readonly string[] {
  const { [page]: paths } = PRIVATE_ANSWERS
  if (paths === undefined) return []
  const { rule } = query
  const open = page === 'editor' && typeof rule === 'string' && rule !== '' ? [NAMED_RULE] : []
  return [...OF_HEADER, ...paths, ...open].map((path) => withParameters(path, { ...params, rule }))
}

function withParameters(path: string, params: PageAddress['params']): string {
  return path.replaceAll(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(String(params[name])))
}

function searchAnswer(query: AddressQuery): readonly string[] {
  const request = readSearchRequest(query)
  return hasText(request) ? [`/api/search/unified?${queryString(Object.entries(searchParameters(request)))}`] : []
}

function coverageAnswer(query: AddressQuery): readonly string[] {
  const parameters = coverageParameters(query)
  return hasSources(parameters) ? [`/api/coverage.json?${queryString(Object.entries(parameters))}`] : []
}

function queryString(parameters: readonly (readonly [string, unknown])[]): string {
  return parameters.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')
}

/** The links of a rule depend on the release of the ontology. */
function parametersOf({ release }: AddressQuery): string {
  return typeof release === 'string' && release !== '' ? `?release=${encodeURIComponent(release)}` : ''
}

function releaseOf({ release }: AddressQuery): string {
  return typeof release === 'string' && release !== '' ? `/releases/${encodeURIComponent(release)}` : ''
}
