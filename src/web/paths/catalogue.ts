/** Pages of published guidance. The API answers programs at the same paths. */
export const CATALOGUE_PATHS = {
  stigs: '/stigs',
  stig: '/stigs/:id',
  stigComparison: '/stigs/:id/compare/:other',
  srgs: '/srgs',
  srg: '/srgs/:id',
  srgComparison: '/srgs/:id/compare/:other',
  upload: '/catalogue/upload',
} as const

/** API paths of the records that each page shows. If one does not exist, the page is sent with 404. */
export const CATALOGUE_RECORDS: Readonly<Partial<Record<keyof typeof CATALOGUE_PATHS, readonly string[]>>> = {
  stig: ['/stigs/:id'],
  stigComparison: ['/stigs/:id', '/stigs/:other'],
  srg: ['/srgs/:id'],
  srgComparison: ['/srgs/:id', '/srgs/:other'],
}

/** IRIs of what the catalogue describes in RDF; browsers are sent on to the page that shows it. */
export const CATALOGUE_IRIS: readonly string[] = [
  '/benchmarks/:benchmark',
  '/benchmarks/:benchmark/:version',
  '/benchmarks/:benchmark/:version/rules/:rule',
  '/ccis/:cci',
  '/requirements/:requirement',
]
