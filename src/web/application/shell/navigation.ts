import { ADMINISTRATION_PATHS } from '../../paths/administration.ts'
import { EDITOR_PATHS } from '../../paths/editor.ts'
import { ONTOLOGY_PATHS } from '../../paths/ontology.ts'
import type { PageName } from '../../paths/paths.ts'
import { PROJECT_PATHS } from '../../paths/projects.ts'
import { RELEASE_PATHS } from '../../paths/release.ts'
import { site } from '../client/site.ts'

export interface NavigationLink {
  readonly name: string
  readonly path: string
  /** The pages of that part; the first is where the link leads. */
  readonly pages: readonly [PageName, ...string[]]
}

/** Links to the pages of the catalogue, which a copy may have. */
const GUIDANCE: readonly NavigationLink[] = [
  {
    name: 'Guidance',
    path: '/guidance',
    pages: [
      'guidance',
      'stigs',
      'benchmark',
      'benchmarkRule',
      'benchmarkChanges',
      'requirement',
      'stig',
      'stigComparison',
      'srgs',
      'srg',
      'srgComparison',
      'cci',
      'control',
    ],
  },
]

const COVERAGE: NavigationLink = { name: 'Coverage', path: '/coverage', pages: ['coverage', 'ownList'] }

const { attacks: _attacks, attack: _attack, ...OF_DEFENSES } = ONTOLOGY_PATHS

/** The main pages, in the order of the header. */
export const navigationLinks: readonly NavigationLink[] = [
  { name: 'Defenses', path: '/matrix', pages: ['matrix', ...Object.keys(OF_DEFENSES)] },
  { name: 'Attacks', path: '/attacks', pages: ['attacks', 'attack'] },
  ...(site.hasCatalogue ? GUIDANCE : []),
  ...(site.isCopy ? [] : [COVERAGE]),
]

const { home: _own, projects: _list, ...OF_PROJECTS } = { ...PROJECT_PATHS, ...EDITOR_PATHS, ...RELEASE_PATHS }

/** After the others, for people who are signed in. */
export const workLink: NavigationLink = {
  name: 'My work',
  path: '/home',
  pages: ['home', 'projects', 'comments', 'projectTriage', 'componentTriage', ...Object.keys(OF_PROJECTS)],
}

/** In the menu of the account. */
export const accountLinks: readonly NavigationLink[] = [
  { name: 'My work', path: '/home', pages: ['home'] },
  { name: 'Projects', path: '/projects', pages: ['projects'] },
  { name: 'My comments', path: '/comments', pages: ['comments'] },
  { name: 'Account and security', path: '/account', pages: ['account', 'secondFactor'] },
]

/** In the menu of the account, for site administrators. */
export const administrationLink: NavigationLink = {
  name: 'Administration',
  path: '/administration',
  pages: ['administration', 'upload', ...Object.keys(ADMINISTRATION_PATHS)],
}
