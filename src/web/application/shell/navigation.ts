import { site } from '../client/site.ts'

/** What a copy of the ontology has not. */
const GUIDANCE = [
  { name: 'STIGs', path: '/stigs' },
  { name: 'SRGs', path: '/srgs' },
  { name: 'Coverage', path: '/coverage' },
]

/** The main pages, in the order in which the header has them. */
export const navigationLinks: readonly { readonly name: string; readonly path: string }[] = [
  { name: 'Matrix', path: '/matrix' },
  ...(site.isCopy ? [] : GUIDANCE),
]
