/** Pages for the work on a component until its release. */
export const RELEASE_PATHS = {
  componentOverview: '/components/:component/overview',
  readiness: '/components/:component/readiness',
  componentAdvice: '/components/:component/advice',
  release: '/components/:component/release',
  spreadsheet: '/components/:component/spreadsheet',
  milestones: '/components/:component/calendar',
  merge: '/components/:component/merge',
  componentCompare: '/components/:component/compare',
  componentComparison: '/components/:component/compare/:other',
  componentPublished: '/components/:component/published',
  rebase: '/components/:component/rebase',
  relocations: '/components/:component/relocations',
  componentQuestions: '/components/:component/questions',
  componentSettings: '/components/:component/settings',
} as const
