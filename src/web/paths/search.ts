export const SEARCH_PATHS = {
  search: '/search',
} as const
