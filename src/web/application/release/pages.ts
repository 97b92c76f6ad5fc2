import type { RELEASE_PATHS } from '../../paths/release.ts'
import type { LoadPage } from '../load-page.ts'

export const RELEASE_PAGES = {
  componentOverview: () => import('./overview/OverviewPage.vue'),
  readiness: () => import('./readiness/ReadinessPage.vue'),
  componentAdvice: () => import('../advice/AdvicePage.vue'),
  release: () => import('./release/ReleasePage.vue'),
  spreadsheet: () => import('./spreadsheet/SpreadsheetPage.vue'),
  milestones: () => import('./milestones/MilestonesPage.vue'),
  merge: () => import('./merge/MergePage.vue'),
  componentCompare: () => import('./compare/ComparePage.vue'),
  componentComparison: () => import('./compare/ComparePage.vue'),
  componentPublished: () => import('./published/PublishedPage.vue'),
  rebase: () => import('./rebase/RebasePage.vue'),
  relocations: () => import('./relocations/RelocationsPage.vue'),
  componentQuestions: () => import('./questions/QuestionsPage.vue'),
  componentSettings: () => import('./settings/ComponentSettingsPage.vue'),
} satisfies Readonly<Record<keyof typeof RELEASE_PATHS, LoadPage>>
