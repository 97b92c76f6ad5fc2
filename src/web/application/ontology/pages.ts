import type { ONTOLOGY_PATHS } from '../../paths/ontology.ts'
import type { LoadPage } from '../load-page.ts'

/** Pages of the ontology by the names of their paths. */
export const ONTOLOGY_PAGES = {
  technique: () => import('./technique/TechniquePage.vue'),
} satisfies Readonly<Record<keyof typeof ONTOLOGY_PATHS, LoadPage>>
