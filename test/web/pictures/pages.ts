import { ROOT_LOGIN, type TeapotScene } from '../../support/teapot-scene.ts'

/** A page whose look is kept. */
export interface PicturedPage {
  /** The page of the design that it was made after. */
  readonly name: string
  readonly path: (scene: TeapotScene) => string
  /** Nobody, where it is for everybody. */
  readonly who?: keyof TeapotScene['people']
  /** Some words of its content, which comes last. */
  readonly shows: string | RegExp
}

const QUERY = `PREFIX d3f: <http://d3fend.mitre.org/ontologies/d3fend.owl#>
SELECT ?technique ?id WHERE { ?technique d3f:d3fend-id ?id } ORDER BY ?id LIMIT 20`
const STIG = '/benchmarks/Samovar_9_STIG'

export const PICTURED: readonly PicturedPage[] = [
  { name: 'start', path: () => '/', shows: 'Samovar 9' },
  { name: 'matrix', path: () => '/matrix', shows: 'File Hashing' },
  { name: 'technique', path: () => '/technique/d3f:AccountLocking/', shows: 'Attacks it counters' },
  { name: 'attack', path: () => '/offensive-technique/attack/T1110.001/', shows: 'Rules that apply' },
  { name: 'guidance', path: () => '/guidance', shows: /^Samovar 9/ },
  { name: 'rule', path: () => `${STIG}/V1R2/rules/${ROOT_LOGIN.id}`, shows: ROOT_LOGIN.title },
  { name: 'comparison', path: () => `${STIG}/V1R1/changes/V1R2`, shows: 'Changed 1' },
  { name: 'cci', path: () => '/ccis/CCI-000044', shows: /^Enforce a limit/ },
  { name: 'coverage', path: ({ stig }) => `/coverage?stig=${stig}`, shows: /rules are linked to/ },
  { name: 'search', path: () => '/search?q=password+guessing', shows: 'Password Guessing' },
  { name: 'sparql', path: () => `/sparql?query=${encodeURIComponent(QUERY)}`, shows: '20 rows' },
  { name: 'api', path: () => '/api/docs', shows: 'Quick start' },
  { name: 'home', path: () => '/home', who: 'author', shows: 'Penguin OS 1' },
  { name: 'component', path: ({ component }) => `/components/${component}/overview`, who: 'author', shows: 'Penguin' },
  {
    name: 'editor',
    path: ({ component }) => `/components/${component}?rule=PNGN-01-000003`,
    who: 'author',
    shows: 'PNGN-01-000003',
  },
  {
    name: 'comments',
    path: ({ component }) => `/components/${component}/triage?view=split`,
    who: 'author',
    shows: 'Which settings are meant?',
  },
  { name: 'release', path: ({ component }) => `/components/${component}/release`, who: 'root', shows: /^Export/ },
  {
    name: 'milestones',
    path: ({ component }) => `/components/${component}/calendar`,
    who: 'root',
    shows: 'Milestones',
  },
  { name: 'administration', path: () => '/administration', who: 'root', shows: 'Arthur' },
  { name: 'missing', path: () => '/offensive-technique/attack/T11100/', shows: /T11100/ },
]
