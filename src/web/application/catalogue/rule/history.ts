import type { ChangedRule, Comparison } from '../../parts/compare/changes.ts'

export interface HistoryRelease {
  /** Its index among all releases of the product. */
  readonly id: number
  readonly benchmarkId: string
  readonly version: string
}

/** The change of a rule in one release. */
export interface HistoryStep {
  readonly release: HistoryRelease
  /** `first`: nothing older is stored. */
  readonly status: ChangedRule['status'] | 'first'
  /** Its id in that release; null once it is removed. */
  readonly ruleId: string | null
  readonly changes: ChangedRule['changes']
}

interface HistoryRequest {
  readonly ruleId: string
  /** The release that the id belongs to. */
  readonly release: HistoryRelease
  /** All of the product that are stored, oldest first. */
  readonly releases: readonly HistoryRelease[]
  /** Comparisons of each release with the one before it, by the number of the newer one. */
  readonly comparisons: ReadonlyMap<number, Pick<Comparison, 'rules'>>
}

/** The earlier and later versions of a rule, newest first. */
export function historyOf(request: HistoryRequest): readonly HistoryStep[] {
  const index = request.releases.findIndex(({ id }) => id === request.release.id)
  return [...stepsBefore(request, index), ...stepsAfter(request, index)].toReversed()
}

function stepsBefore({ ruleId, releases, comparisons }: HistoryRequest, index: number): readonly HistoryStep[] {
  const steps: HistoryStep[] = []
  let name: string | null = ruleId
  for (const release of releases.slice(0, index + 1).toReversed()) {
    if (name === null) break
    const ruleName: string = name
    const changedRule = comparisons.get(release.id)?.rules.find((rule) => rule.after?.rule_id === ruleName)
    steps.unshift(stepOf(release, changedRule, ruleName))
    name = changedRule?.before?.rule_id ?? null
  }
  return steps
}

function stepsAfter({ ruleId, releases, comparisons }: HistoryRequest, index: number): readonly HistoryStep[] {
  const steps: HistoryStep[] = []
  let name: string | null = ruleId
  for (const release of releases.slice(index + 1)) {
    if (name === null) break
    const ruleName: string = name
    const changedRule = comparisons.get(release.id)?.rules.find((rule) => rule.before?.rule_id === ruleName)
    name = changedRule?.after?.rule_id ?? null
    steps.push(stepOf(release, changedRule, name))
  }
  return steps
}

function stepOf(release: HistoryRelease, changedRule: ChangedRule | undefined, ruleId: string | null): HistoryStep {
  return { release, status: changedRule?.status ?? 'first', ruleId, changes: changedRule?.changes ?? [] }
}
