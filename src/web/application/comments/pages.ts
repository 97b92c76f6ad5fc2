import type { COMMENT_PATHS } from '../../paths/comments.ts'
import type { LoadPage } from '../load-page.ts'

/** Pages of comments by the names of their paths. */
export const COMMENT_PAGES = {
  componentTriage: () => import('./triage/ComponentTriagePage.vue'),
  projectTriage: () => import('./triage/ProjectTriagePage.vue'),
  comments: () => import('./mine/MyCommentsPage.vue'),
} satisfies Readonly<Record<keyof typeof COMMENT_PATHS, LoadPage>>
