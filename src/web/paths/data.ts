/** Pages about the API. At `sparql`, the API answers queries. */
export const DATA_PATHS = {
  api: '/api/docs',
  sparql: '/sparql',
} as const
