/** A release of a benchmark, by the names of its publisher. */
export interface ReleaseName {
  readonly benchmarkId: string
  readonly version: string
}

/** The names of a release in an answer of the API. */
export function releaseNameOf(benchmark: { readonly benchmark_id: string; readonly version: string }): ReleaseName {
  return { benchmarkId: benchmark.benchmark_id, version: benchmark.version }
}

/** The page of a release: `/benchmarks/RHEL_9_STIG/V2R7`. */
export function benchmarkPath({ benchmarkId, version }: ReleaseName): string {
  return `/benchmarks/${encodeURIComponent(benchmarkId)}/${encodeURIComponent(version)}`
}

/** The page of the changes of a release since another one of its product. */
export function changesPath(before: Pick<ReleaseName, 'version'>, { benchmarkId, version }: ReleaseName): string {
  return `${benchmarkPath({ benchmarkId, version: before.version })}/changes/${encodeURIComponent(version)}`
}

/** The page of a rule, by its rule id, its group id or its STIG id. */
export function rulePath(release: ReleaseName, rule: string): string {
  return `${benchmarkPath(release)}/rules/${encodeURIComponent(rule)}`
}

/** The page of a CCI: `/ccis/CCI-000366`. */
export function cciPath(cci: string): string {
  return `/ccis/${encodeURIComponent(cci)}`
}

/** The page of a control: `AC-2 (1)` → `/controls/AC-2(1)`. */
export function controlPath(control: string): string {
  return `/controls/${encodeURIComponent(control.replaceAll(' ', ''))}`
}

export function requirementPath(requirement: string): string {
  return `/requirements/${encodeURIComponent(requirement)}`
}
