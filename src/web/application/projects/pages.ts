import type { PROJECT_PATHS } from '../../paths/projects.ts'
import type { LoadPage } from '../load-page.ts'

export const PROJECT_PAGES = {
  home: () => import('../home/HomePage.vue'),
  projects: () => import('./list/ProjectsPage.vue'),
  newProject: () => import('./new/NewProjectPage.vue'),
  project: () => import('./project/ProjectPage.vue'),
  projectMembers: () => import('./members/MembersPage.vue'),
  projectHistory: () => import('./history/HistoryPage.vue'),
  projectWebhooks: () => import('./webhooks/WebhooksPage.vue'),
  projectSettings: () => import('./settings/SettingsPage.vue'),
  newComponent: () => import('./component/NewComponentPage.vue'),
} satisfies Readonly<Record<keyof typeof PROJECT_PATHS, LoadPage>>
