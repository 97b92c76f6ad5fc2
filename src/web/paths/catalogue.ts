/** Pages of published guidance. The API answers programs at the same paths. */
export const CATALOGUE_PATHS = {
  stigs: '/stigs',
  stig: '/stigs/:id',
  srgs: '/srgs',
  srg: '/srgs/:id',
} as const
