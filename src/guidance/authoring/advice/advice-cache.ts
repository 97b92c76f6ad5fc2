import { LRUCache } from 'lru-cache'
import { inPortions, Pauses } from '../../../platform/concurrency/turns.ts'
import { WorkQueue } from '../../../platform/concurrency/work-queue.ts'
import { getOrMake } from '../../../platform/get-or-make.ts'
import type { QuotedFinding } from '../../../wording/finding.ts'
import { SentenceIndex } from '../../../wording/sentence-index.ts'
import { displayedName } from '../../database/rule-names.ts'
import type { Reader } from '../../database/transaction.ts'
import { findRules, type AuthoredRule, type RuleCondition } from '../rules/reader.ts'
import type { SourceRequirement } from '../rules/schemas.ts'
import { findSources } from '../rules/sources.ts'
import { findingsIn } from './findings.ts'
import { citedBy, toWrittenRule } from './written-rule.ts'

/** The number of rules to read at once. SQLite blocks the thread that serves all requests. */
const BATCH_SIZE = 50
/** The limit applies to all components together. The findings of one rule take about 10 kB. */
const MAX_RULES = 5000

/** The findings in one version of a rule. The stamp identifies the version. */
interface CachedFindings {
  readonly stamp: string
  readonly findings: readonly QuotedFinding[]
}

/** Keeps the findings of a component's rules, so that only changed rules are checked again. */
export class CachedComponent {
  readonly #id: number
  readonly #rules = new Map<number, CachedFindings>()
  readonly #sentences = new SentenceIndex()
  readonly #queue = new WorkQueue()

  constructor(id: number) {
    this.#id = id
  }

  /** The size of the cache entry: the number of its rules, plus one. */
  get size(): number {
    return this.#rules.size + 1
  }

  /** Checks the rules that have changed since the last call. Calls wait for each other. */
  refresh(reader: Reader): Promise<void> {
    return this.#queue.run(() => this.#catchUp(reader))
  }

  findingsIn(ruleId: number): readonly QuotedFinding[] {
    const findings = this.#rules.get(ruleId)?.findings ?? []
    return [...findings, ...this.#sentences.findingsIn(ruleId)]
  }

  async #catchUp(reader: Reader): Promise<void> {
    const stamps = await findStamps(reader, this.#id)
    for (const id of this.#rules.keys()) if (!stamps.has(id)) this.#forget(id)
    const changed = [...stamps].filter(([id, stamp]) => this.#rules.get(id)?.stamp !== stamp)
    const pauses = new Pauses()
    for await (const batch of inPortions(changed, BATCH_SIZE)) {
      const ids = batch.map(([id]) => id)
      const condition: RuleCondition = (is) => is('rules.id', 'in', ids)
      const rules = await findRules(reader, condition)
      const sources = await findSources(reader, rules, condition)
      for (const rule of rules) {
        const source = sources.get(rule.srg_rule_id ?? 0)?.requirement
        await this.#read(rule, source, { pauses, stamp: stamps.get(rule.id) ?? '' })
      }
    }
  }

  async #read(
    rule: AuthoredRule,
    source: SourceRequirement | undefined,
    { pauses, stamp }: { readonly pauses: Pauses; readonly stamp: string },
  ): Promise<void> {
    const written = toWrittenRule(rule, source)
    const steps = findingsIn(written, citedBy(rule, source))
    let step = steps.next()
    for (; step.done !== true; step = steps.next()) await pauses.rest()
    this.#sentences.set({ id: rule.id, name: displayedName(rule.prefix, rule.number) }, written)
    await pauses.rest()
    this.#rules.set(rule.id, { stamp, findings: step.value })
  }

  #forget(id: number): void {
    this.#rules.delete(id)
    this.#sentences.delete(id)
  }
}

/** A stamp changes with the rule and with everything that is linked to it. */
async function findStamps(reader: Reader, componentId: number): Promise<Map<number, string>> {
  const rows = await reader
    .selectFrom('rules')
    .innerJoin('components', 'components.id', 'rules.component_id')
    .select(['rules.id', 'rules.lock_version', 'rules.updated_at', 'rules.srg_rule_id'])
    .select(['rules.number', 'components.prefix'])
    .where('rules.component_id', '=', componentId)
    .where('rules.deleted_at', 'is', null)
    .execute()
  const links = await reader
    .selectFrom('rule_satisfactions as link')
    .innerJoin('rules', 'rules.id', 'link.rule_id')
    .select(['link.rule_id', 'link.satisfied_by_rule_id'])
    .where('rules.component_id', '=', componentId)
    .execute()
  const linked = new Set(links.flatMap((link) => [link.rule_id, link.satisfied_by_rule_id]))
  return new Map(rows.map(({ id, ...row }) => [id, [...Object.values(row), linked.has(id)].join(' ')]))
}

/** Keeps the components that were used last. */
export class AdviceCache {
  readonly #components: LRUCache<number, CachedComponent>

  constructor(maxRules = MAX_RULES) {
    this.#components = new LRUCache({
      maxSize: maxRules,
      // A component with more rules than the limit is still kept, alone.
      sizeCalculation: ({ size }) => Math.min(size, maxRules),
    })
  }

  async of(reader: Reader, componentId: number): Promise<CachedComponent> {
    // Requests that arrive in the meantime wait for the same result.
    const component = getOrMake(this.#components, componentId, () => new CachedComponent(componentId))
    await component.refresh(reader)
    // The cache measures a component only when it is added.
    this.#components.delete(componentId)
    this.#components.set(componentId, component)
    return component
  }
}
