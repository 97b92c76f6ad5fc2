import type { ADMINISTRATION_PATHS } from '../../paths/administration.ts'
import type { LoadPage } from '../load-page.ts'

/** Pages of site administrators by the names of their paths. */
export const ADMINISTRATION_PAGES = {
  administration: () => import('./users/UsersPage.vue'),
  administrationRequests: () => import('./RequestsPage.vue'),
  administrationAudits: () => import('./audits/AuditsPage.vue'),
  administrationReleases: () => import('./releases/ReleasesPage.vue'),
  administrationReference: () => import('./reference/ReferencePage.vue'),
  administrationSettings: () => import('./SettingsPage.vue'),
} satisfies Readonly<Record<keyof typeof ADMINISTRATION_PATHS, LoadPage>>
