import type { PageName } from '../paths/paths.ts'
import type { LoadPage } from './load-page.ts'

/** Pages that work otherwise where there is no service. */
export const COPY_PAGES: Readonly<Partial<Record<PageName, LoadPage>>> = {
  search: () => import('./search/copy/CopySearchPage.vue'),
}
