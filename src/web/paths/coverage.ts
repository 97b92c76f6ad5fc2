export const COVERAGE_PATHS = {
  coverage: '/coverage',
} as const
