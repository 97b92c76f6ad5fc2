import { ADMINISTRATION_PATHS } from '../../paths/administration.ts'
import { EDITOR_PATHS } from '../../paths/editor.ts'
import { ONTOLOGY_PATHS } from '../../paths/ontology.ts'
import type { PageName } from '../../paths/paths.ts'
import { PROJECT_PATHS } from '../../paths/projects.ts'
import { RELEASE_PATHS } from '../../paths/release.ts'
import { site } from '../client/site.ts'

interface NavigationLink {
  readonly name: string
  readonly path: string
  /** The pages of that part; the first is where the link leads. */
  readonly pages: readonly [PageName, ...string[]]
}

/** Links to the pages that a static copy of the ontology does not have. */
const GUIDANCE: readonly NavigationLink[] = [
  { name: 'STIGs', path: '/stigs', pages: ['stigs', 'stig', 'stigComparison', 'cci', 'control'] },
  { name: 'SRGs', path: '/srgs', pages: ['srgs', 'srg', 'srgComparison'] },
  { name: 'Coverage', path: '/coverage', pages: ['coverage'] },
]

/** The main pages, in the order in which the header has them. */
export const navigationLinks: readonly NavigationLink[] = [
  { name: 'Matrix', path: '/matrix', pages: ['matrix', ...Object.keys(ONTOLOGY_PATHS)] },
  ...(site.isCopy ? [] : GUIDANCE),
]

const { home: _own, ...OF_PROJECTS } = { ...PROJECT_PATHS, ...EDITOR_PATHS, ...RELEASE_PATHS }

/** For who is signed in, after the others. */
export const memberLinks: readonly NavigationLink[] = [
  { name: 'Home', path: '/home', pages: ['home'] },
  {
    name: 'Projects',
    path: '/projects',
    pages: ['projects', 'projectTriage', 'componentTriage', ...Object.keys(OF_PROJECTS)],
  },
  { name: 'My comments', path: '/comments', pages: ['comments'] },
]

/** After those, for site administrators. */
export const administratorLinks: readonly NavigationLink[] = [
  {
    name: 'Administration',
    path: '/administration',
    pages: ['administration', 'upload', ...Object.keys(ADMINISTRATION_PATHS)],
  },
]
