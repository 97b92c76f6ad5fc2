/** Comments and their triage. */
export const COMMENT_PATHS = {
  componentTriage: '/components/:component/triage',
  projectTriage: '/projects/:project/triage',
  comments: '/comments',
} as const
