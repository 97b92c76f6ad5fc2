import type { PageName } from '../paths/paths.ts'
import { ACCOUNT_PAGES } from './account/pages.ts'
import { ADMINISTRATION_PAGES } from './administration/pages.ts'
import { CATALOGUE_PAGES } from './catalogue/pages.ts'
import { COMMENT_PAGES } from './comments/pages.ts'
import { COVERAGE_PAGES } from './coverage/pages.ts'
import { DATA_PAGES } from './data/pages.ts'
import { EDITOR_PAGES } from './editor/pages.ts'
import type { LoadPage } from './load-page.ts'
import { ONTOLOGY_PAGES } from './ontology/pages.ts'
import { PROJECT_PAGES } from './projects/pages.ts'
import { RELEASE_PAGES } from './release/pages.ts'
import { SEARCH_PAGES } from './search/pages.ts'

/** The component of each page. A path without one, or one without a path, is a type error. */
export const PAGES: Readonly<Record<PageName, LoadPage>> = {
  start: () => import('./start/StartPage.vue'),
  ...ACCOUNT_PAGES,
  ...COVERAGE_PAGES,
  ...DATA_PAGES,
  ...EDITOR_PAGES,
  ...COMMENT_PAGES,
  ...ADMINISTRATION_PAGES,
  ...ONTOLOGY_PAGES,
  ...CATALOGUE_PAGES,
  ...SEARCH_PAGES,
  ...PROJECT_PAGES,
  ...RELEASE_PAGES,
}
