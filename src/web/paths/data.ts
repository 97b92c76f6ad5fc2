/** Pages about the data for programs. The API answers at the first path as well: SPARQL queries. */
export const DATA_PATHS = {
  api: '/api/docs',
  sparql: '/sparql',
} as const
