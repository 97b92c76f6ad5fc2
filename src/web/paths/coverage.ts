export const COVERAGE_PATHS = {} as const
