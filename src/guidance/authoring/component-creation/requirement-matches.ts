import { withoutRevision } from '../../catalogue/benchmark-diff/match.ts'
import type { Reader } from '../../database/transaction.ts'

/** Pairs the requirements whose id is not unique within its SRG. */
export interface RequirementMatches {
  /** The ids of matching requirements in the old and the new SRG. */
  readonly pairs: readonly (readonly [before: number, after: number])[]
  readonly removed: readonly number[]
  readonly added: readonly number[]
}

interface RequirementRow {
  readonly id: number
  readonly benchmark_id: number
  readonly version: string | null
  readonly rule_id: string
}

/** Matches requirements by their rule ids, and where these differ, by their order. */
export async function matchRequirements(
  reader: Reader,
  { before, after }: { readonly before: number; readonly after: number },
): Promise<RequirementMatches> {
  const rows = await reader
    .selectFrom('benchmark_rules')
    .select(['id', 'benchmark_id', 'version', 'rule_id'])
    .where('benchmark_id', 'in', [before, after])
    .where('version', 'in', (is) =>
      is
        .selectFrom('benchmark_rules as twin')
        .select('twin.version')
        .where('twin.benchmark_id', 'in', [before, after])
        .where('twin.version', 'is not', null)
        .groupBy(['twin.benchmark_id', 'twin.version'])
        .having(({ fn }) => fn.countAll(), '>', 1),
    )
    .orderBy('position')
    .execute()
  const matches = [...new Set(rows.map(({ version }) => version))].map((version) => {
    const requirements = rows.filter((row) => row.version === version)
    const inSrg = (id: number): RequirementRow[] => requirements.filter((row) => row.benchmark_id === id)
    return pairRequirements(inSrg(before), inSrg(after))
  })
  return {
    pairs: matches.flatMap(({ pairs }) => pairs),
    removed: matches.flatMap(({ removed }) => removed),
    added: matches.flatMap(({ added }) => added),
  }
}

function pairRequirements(before: readonly RequirementRow[], after: readonly RequirementRow[]): RequirementMatches {
  const pairs: [number, number][] = []
  const open = { before: new Set(before), after: new Set(after) }
  const pair = (requirement: RequirementRow, other: RequirementRow | undefined): void => {
    if (other === undefined) return
    open.before.delete(requirement)
    open.after.delete(other)
    pairs.push([requirement.id, other.id])
  }
  for (const requirement of before)
    pair(
      requirement,
      [...open.after].find((other) => nameOf(other) === nameOf(requirement)),
    )
  for (const requirement of Array.from(open.before)) pair(requirement, [...open.after][0])
  const numbers = (rules: ReadonlySet<RequirementRow>): number[] => [...rules].map(({ id }) => id)
  return { pairs, removed: numbers(open.before), added: numbers(open.after) }
}

function nameOf({ rule_id }: RequirementRow): string {
  return withoutRevision(rule_id)
}
