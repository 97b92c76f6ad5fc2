/** Pages of published guidance. The API answers programs at some of these paths. */
export const CATALOGUE_PATHS = {} as const
