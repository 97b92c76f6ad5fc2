/** Pages of published guidance. The API answers programs at the same paths. */
export const CATALOGUE_PATHS = {
  guidance: '/guidance',
  benchmark: '/benchmarks/:benchmark/:version',
  benchmarkRule: '/benchmarks/:benchmark/:version/rules/:rule',
  benchmarkChanges: '/benchmarks/:benchmark/:from/changes/:to',
  requirement: '/requirements/:requirement',
  stigs: '/stigs',
  stig: '/stigs/:id',
  stigComparison: '/stigs/:id/compare/:other',
  srgs: '/srgs',
  srg: '/srgs/:id',
  srgComparison: '/srgs/:id/compare/:other',
  cci: '/ccis/:cci',
  control: '/controls/:control',
  upload: '/catalogue/upload',
} as const

/** API paths of the records that each page shows. If one does not exist, the page is sent with 404. */
export const CATALOGUE_RECORDS: Readonly<Partial<Record<keyof typeof CATALOGUE_PATHS, readonly string[]>>> = {
  benchmark: ['/benchmarks/:benchmark/:version'],
  benchmarkRule: ['/benchmarks/:benchmark/:version/rules/:rule'],
  benchmarkChanges: ['/benchmarks/:benchmark/:from', '/benchmarks/:benchmark/:to'],
  requirement: ['/requirements/:requirement'],
  stig: ['/stigs/:id'],
  stigComparison: ['/stigs/:id', '/stigs/:other'],
  srg: ['/srgs/:id'],
  srgComparison: ['/srgs/:id', '/srgs/:other'],
  cci: ['/ccis/:cci'],
  control: ['/controls/:control'],
}

/** Pages at the IRIs of their records. Programs that prefer RDF get RDF there. */
export const RESOURCE_PAGES: readonly string[] = [
  'benchmark',
  'benchmarkRule',
  'requirement',
  'cci',
  'control',
] satisfies readonly (keyof typeof CATALOGUE_PATHS)[]

/** Further IRIs of records that the catalogue describes in RDF; browsers are redirected to their pages. */
export const CATALOGUE_IRIS: readonly string[] = ['/benchmarks/:benchmark', '/attack/:attack', '/cwe/:weakness']
