import type { DATA_PATHS } from '../../paths/data.ts'
import type { LoadPage } from '../load-page.ts'

export const DATA_PAGES = {
  sparql: () => import('./sparql/SparqlPage.vue'),
} satisfies Readonly<Record<keyof typeof DATA_PATHS, LoadPage>>
