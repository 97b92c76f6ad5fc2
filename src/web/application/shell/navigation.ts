import { site } from '../client/site.ts'

/** What a copy of the ontology has not. */
const GUIDANCE = [
  { name: 'STIGs', path: '/stigs' },
  { name: 'SRGs', path: '/srgs' },
  { name: 'Coverage', path: '/coverage' },
]

interface NavigationLink {
  readonly name: string
  readonly path: string
}

/** The main pages, in the order in which the header has them. */
export const navigationLinks: readonly NavigationLink[] = [
  { name: 'Matrix', path: '/matrix' },
  ...(site.isCopy ? [] : GUIDANCE),
]

/** For who is signed in, after the others. */
export const memberLinks: readonly NavigationLink[] = [
  { name: 'Home', path: '/home' },
  { name: 'Projects', path: '/projects' },
  { name: 'My comments', path: '/comments' },
]

/** After those, for site administrators. */
export const administratorLinks: readonly NavigationLink[] = [
  { name: 'Administration', path: '/administration' },
]
