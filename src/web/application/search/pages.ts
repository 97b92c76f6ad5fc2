import type { SEARCH_PATHS } from '../../paths/search.ts'
import type { LoadPage } from '../load-page.ts'

export const SEARCH_PAGES = {
  search: () => import('./SearchPage.vue'),
} satisfies Readonly<Record<keyof typeof SEARCH_PATHS, LoadPage>>
