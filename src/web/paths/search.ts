export const SEARCH_PATHS = {} as const
