import { append } from '../../../../platform/append.ts'
import { shortId } from '../../../catalogue/xccdf/id.ts'
import type { Reader } from '../../../database/transaction.ts'
import type { RuleRecord } from '../format/schemas.ts'

interface Requirement {
  readonly id: number
  readonly rule_id: string
  readonly group_id: string | null
}

/** The requirements that rules of a component may have been made from, and the ones in use. */
export class Requirements {
  /** By `SRG-ID requirement` and by requirement alone. Requirements of the first SRG come first. */
  readonly #known = new Map<string, Requirement[]>()
  readonly #used = new Set<number>()

  static async of(reader: Reader, srgIds: readonly number[]): Promise<Requirements> {
    const rows = await reader
      .selectFrom('benchmark_rules as rule')
      .innerJoin('benchmarks', 'benchmarks.id', 'rule.benchmark_id')
      .select(['rule.id', 'rule.version', 'rule.benchmark_id', 'rule.rule_id', 'rule.group_id'])
      .select('benchmarks.benchmark_id as srg_id')
      .where('rule.benchmark_id', 'in', srgIds)
      .where('rule.version', 'is not', null)
      .orderBy('rule.id')
      .execute()
    rows.sort((a, b) => srgIds.indexOf(a.benchmark_id) - srgIds.indexOf(b.benchmark_id))
    const requirements = new Requirements()
    for (const { version, srg_id, ...requirement } of rows)
      for (const key of [version ?? '', `${srg_id} ${version ?? ''}`]) append(requirements.#known, key, requirement)
    return requirements
  }

  /**
   * The id of the requirement from which a rule was made; null if there is none. If several share the id, takes the one
   * that the rule names, else the one of its group, else the next unused one.
   */
  take(rule: RuleRecord): number | null {
    const candidates = this.#candidatesFor(rule)
    const chosen =
      findNamed(rule, candidates) ?? candidates.find(({ id }) => !this.#used.has(id)) ?? candidates[0] ?? null
    if (chosen !== null) this.#used.add(chosen.id)
    return chosen?.id ?? null
  }

  #candidatesFor(rule: RuleRecord): readonly Requirement[] {
    const version = rule.srg_rule_version ?? rule.derived_from_srg_rule_version
    if (version === null) return []
    const srg = rule.srg_rule_srg_id ?? rule.derived_from_srg_rule_srg_id ?? ''
    const key = `${shortId('benchmark', srg)} ${version}`
    return this.#known.get(key) ?? this.#known.get(version) ?? []
  }
}

function findNamed(rule: RuleRecord, requirements: readonly Requirement[]): Requirement | undefined {
  const requirementId = shortId('rule', rule.srg_rule_rule_id ?? rule.derived_from_srg_rule_rule_id ?? '')
  const group = rule.vuln_id
  return (
    requirements.find(({ rule_id }) => rule_id === requirementId) ??
    requirements.find(({ group_id }) => group_id !== null && group_id === group)
  )
}
