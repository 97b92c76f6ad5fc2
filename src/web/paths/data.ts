/** Pages about the data for programs. The API answers at the first path as well: SPARQL queries. */
export const DATA_PATHS = {
  sparql: '/sparql',
} as const
