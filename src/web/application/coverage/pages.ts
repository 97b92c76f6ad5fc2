import type { COVERAGE_PATHS } from '../../paths/coverage.ts'
import type { LoadPage } from '../load-page.ts'

export const COVERAGE_PAGES = {
  coverage: () => import('./CoveragePage.vue'),
  ownList: () => import('./own-list/OwnListPage.vue'),
} satisfies Readonly<Record<keyof typeof COVERAGE_PATHS, LoadPage>>
