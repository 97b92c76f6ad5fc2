import type { DATA_PATHS } from '../../paths/data.ts'
import type { LoadPage } from '../load-page.ts'

export const DATA_PAGES = {
  api: () => import('./api/ApiPage.vue'),
  sparql: () => import('./sparql/SparqlPage.vue'),
} satisfies Readonly<Record<keyof typeof DATA_PATHS, LoadPage>>
