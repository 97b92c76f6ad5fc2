import { actorOf } from '../../../../http/caller.ts'
import { refuseValues } from '../../../../http/toast.ts'
import { findBenchmark, type StoredBenchmark } from '../../../catalogue/benchmarks/reader.ts'
import type { Rule } from '../../../catalogue/xccdf/benchmark.ts'
import type { Writer } from '../../../database/transaction.ts'
import { nameSome } from '../../../parts/name-some.ts'
import type { ProjectGrant } from '../../../parts/project-access.ts'
import { insertComponent, type NewRecord } from '../../components/record.ts'
import { insertRules } from '../../rule-editing/new-rules.ts'
import type { CreatedComponent, UnlinkedRule } from '../bodies.ts'
import { NOT_ADDED, requireSources } from '../from-srg.ts'
import { newRuleOf } from './new-rule.ts'
import { namedRequirements, RequirementIndex, type RequirementLink } from './requirements.ts'
import { rankSrgs, requirementIds } from './srgs.ts'

/** A request to make a component from a published STIG. */
export interface BeginRequest {
  readonly stigId: number
  /** The SRGs that the caller chose, the primary one first; if empty, the SRG with most of the requirements is used. */
  readonly srgIds: readonly number[]
  readonly record: Omit<NewRecord, 'srgIds' | 'publishedSource' | 'projectId'>
}

/**
 * Makes a component with the rules of a published STIG, in their order. Each is linked to the requirement of the SRG
 * that it names; rules whose requirement is not found have none. Refuses with 422 if no SRG has any of them.
 */
export async function beginFromStig(
  writer: Writer,
  { stigId, srgIds, record }: BeginRequest,
  { caller, projectId }: ProjectGrant,
): Promise<CreatedComponent> {
  const stig = await requireStig(writer, stigId)
  const sources = srgIds.length > 0 ? srgIds : [await chooseSrg(writer, stig)]
  await requireSources(writer, sources, 'stig')
  const numbers = stig.rules.map((_, index) => index + 1)
  const newRecord = { ...record, srgIds: sources }
  const { id, links } = await insertPublished(writer, { stig, record: newRecord, numbers }, { caller, projectId })
  const unlinked = links.flatMap(({ rule, link }): readonly UnlinkedRule[] => {
    if (link.requirement !== null) return []
    return [{ rule_id: rule.ruleId, version: rule.version, srg_ids: [...namedRequirements(rule)], reason: link.reason }]
  })
  return { id, unlinked, message: await describeOrigin(writer, { stig, unlinked, srgId: sources[0] ?? 0 }) }
}

/** A published STIG, its new component, and the numbers of its rules there. */
interface PublishedStig {
  readonly stig: StoredBenchmark
  readonly record: Omit<NewRecord, 'publishedSource' | 'projectId'>
  readonly numbers: readonly number[]
}

interface RuleLink {
  readonly rule: Rule
  readonly link: RequirementLink
}

/** Inserts the component with its rules, and returns the requirement of each rule. */
export async function insertPublished(
  writer: Writer,
  { stig, record, numbers }: PublishedStig,
  { caller, projectId }: Pick<ProjectGrant, 'caller' | 'projectId'>,
): Promise<{ readonly id: number; readonly links: readonly RuleLink[] }> {
  const index = await RequirementIndex.of(writer, record.srgIds)
  const publishedSource = { stig_id: stig.benchmarkId, version: stig.version }
  const id = await insertComponent(writer, { ...record, projectId, publishedSource }, caller)
  const now = new Date().toISOString()
  const links = stig.rules.map((rule) => ({ rule, link: index.find(rule) }))
  const rules = links.map(({ rule, link: { requirement } }, position) =>
    newRuleOf(rule, { number: numbers[position] ?? position + 1, requirement, now }),
  )
  await insertRules(writer, rules, { componentId: id, actor: actorOf(caller) })
  return { id, links }
}

async function requireStig(writer: Writer, id: number): Promise<StoredBenchmark> {
  const stig = await writer
    .selectFrom('benchmarks')
    .select('id')
    .where('id', '=', id)
    .where('kind', '=', 'stig')
    // Prevents that somebody removes it meanwhile. SQLite has only one writer at a time.
    .$if(writer.dialect === 'postgres', (query) => query.forKeyShare())
    .executeTakeFirst()
  if (stig === undefined)
    throw refuseValues(NOT_ADDED, [{ field: 'source_stig_id', message: 'Published STIG must exist' }])
  return findBenchmark(writer, id, 'stig')
}

async function chooseSrg(writer: Writer, { title, version, rules }: StoredBenchmark): Promise<number> {
  const ids = requirementIds(rules)
  const [best] = await rankSrgs(writer, ids)
  if (best !== undefined) return best.release.id
  const message =
    ids.length === 0
      ? `No rule of ${title} ${version} names an SRG requirement. Choose the SRG that the component is based on`
      : `The catalogue has no SRG with a requirement of ${title} ${version}, such as ${ids[0]}. ` +
        'Import its SRG, or choose another'
  throw refuseValues(NOT_ADDED, [{ field: 'security_requirements_guide_id', message }])
}

interface BegunFrom {
  readonly stig: StoredBenchmark
  readonly unlinked: readonly UnlinkedRule[]
  readonly srgId: number
}

async function describeOrigin(writer: Writer, { stig, unlinked, srgId }: BegunFrom): Promise<string> {
  const srg = await writer
    .selectFrom('benchmarks')
    .select(['title', 'version'])
    .where('id', '=', srgId)
    .executeTakeFirstOrThrow()
  const { rules, title, version } = stig
  const origin = `${rules.length} rules from ${title} ${version}, based on ${srg.title} ${srg.version}.`
  if (unlinked.length === 0) return origin
  const names = nameSome(unlinked.map((rule) => rule.version ?? rule.rule_id))
  return `${origin}\n${unlinked.length} of them have no requirement there: ${names}.`
}
