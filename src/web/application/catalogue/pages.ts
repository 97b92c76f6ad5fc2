import type { CATALOGUE_PATHS } from '../../paths/catalogue.ts'
import type { LoadPage } from '../load-page.ts'

/** Pages of published guidance by the names of their paths. */
export const CATALOGUE_PAGES = {
  guidance: () => import('./list/GuidancePage.vue'),
  benchmark: () => import('./benchmark/BenchmarkPage.vue'),
  benchmarkRule: () => import('./benchmark/BenchmarkPage.vue'),
  benchmarkChanges: () => import('./compare/ChangesPage.vue'),
  requirement: () => import('./reference/RequirementPage.vue'),
  stigs: () => import('./list/GuidancePage.vue'),
  stig: () => import('./benchmark/NumberedPage.vue'),
  stigComparison: () => import('./compare/ComparisonPage.vue'),
  srgs: () => import('./list/GuidancePage.vue'),
  srg: () => import('./benchmark/NumberedPage.vue'),
  srgComparison: () => import('./compare/ComparisonPage.vue'),
  cci: () => import('./reference/CciPage.vue'),
  control: () => import('./reference/control/ControlPage.vue'),
  upload: () => import('./upload/UploadPage.vue'),
} satisfies Readonly<Record<keyof typeof CATALOGUE_PATHS, LoadPage>>
