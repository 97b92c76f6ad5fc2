export const COVERAGE_PATHS = {
  coverage: '/coverage',
  ownList: '/coverage/list',
} as const
