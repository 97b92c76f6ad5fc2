import { compareCodeUnits } from '../../../graph/term.ts'
import type { Caller } from '../../../http/caller.ts'
import { append } from '../../../platform/append.ts'
import { inPortions, Pauses } from '../../../platform/concurrency/turns.ts'
import { joinChecks } from '../../authoring/rules/join-checks.ts'
import type { LinkedRule } from '../../authoring/rules/reader.ts'
import type { Reader } from '../../database/transaction.ts'
import type { ArchivedComponent } from '../archives/format/archive.ts'
import { readArchiveBytes } from '../archives/format/read-in-thread.ts'
import type { RuleRecord } from '../archives/format/schemas.ts'
import { rowOf } from '../archives/format/shape.ts'
import { findKnown, keyOf, sourcesOf } from '../archives/importing/plan.ts'
import { Requirements } from '../archives/importing/requirements.ts'
import {
  findSources,
  type ExportedComponent,
  type ExportedRule,
  type SourceRequirement,
} from '../exports/component/component.ts'
import { frozenContentOf } from './frozen-content.ts'
import type { MilestoneRow } from './reader.ts'

/** The number of requirements to read at once. */
const PORTION = 250

/** The state of a component when a milestone was reached, in the form that exports write. */
export interface MilestoneComponent extends ExportedComponent {
  readonly attachments: ArchivedComponent['attachments']
}

interface MilestoneRequest {
  readonly componentId: number
  readonly milestone: MilestoneRow
  readonly caller: Pick<Caller, 'id'>
}

/** Reads the archive of a reached milestone. Texts of SRGs come from the catalogue, where they do not change. */
export async function readMilestoneComponent(
  reader: Reader,
  { componentId, milestone, caller }: MilestoneRequest,
): Promise<MilestoneComponent> {
  const archived = await readFrozen(reader, milestone, caller)
  const current = await reader
    .selectFrom('components')
    .selectAll()
    .where('id', '=', componentId)
    .executeTakeFirstOrThrow()
  const { name, prefix, title, version, release, description, document_type, based_on } = archived.component
  const archivedColumns = { name, prefix, version, release, description, document_type, title: title ?? name }
  const sources = await findArchivedSources(reader, archived)
  return {
    component: { ...current, ...archivedColumns },
    srg: { benchmark_id: based_on.srg_id, title: based_on.title ?? based_on.srg_id, version: based_on.version },
    questions: [],
    rules: await rulesOf(archived, sources),
    attachments: archived.attachments,
  }
}

async function readFrozen(
  reader: Reader,
  milestone: MilestoneRow,
  caller: Pick<Caller, 'id'>,
): Promise<ArchivedComponent> {
  const chunks: Uint8Array[] = []
  for await (const chunk of frozenContentOf(reader, milestone)) chunks.push(chunk)
  const { components } = await readArchiveBytes(Buffer.concat(chunks), caller)
  const [component] = components
  if (component === undefined) throw new Error('The archive of a milestone has no component')
  return component
}

/**
 * Finds the requirements from which the rules were made, by the number of the rule. The catalogue may no longer have
 * their SRGs.
 */
async function findArchivedSources(
  reader: Reader,
  archived: ArchivedComponent,
): Promise<ReadonlyMap<number, SourceRequirement>> {
  const srgIdsByName = await findKnown(reader, sourcesOf(archived))
  const srgIds = sourcesOf(archived).flatMap((srg) => srgIdsByName.get(keyOf(srg)) ?? [])
  if (srgIds.length === 0) return new Map()
  const requirements = await Requirements.of(reader, srgIds)
  const requirementIds = archived.rules.map((rule) => ({
    number: Number(rule.rule_id),
    id: requirements.take(rule) ?? 0,
  }))
  const sourcesByNumber = new Map<number, SourceRequirement>()
  for await (const batch of inPortions(requirementIds, PORTION)) {
    const ids = batch.map(({ id }) => id)
    const sources = await findSources(reader, (is) =>
      is.selectFrom('benchmark_rules').select('benchmark_rules.id as srg_rule_id').where('id', 'in', ids),
    )
    for (const { number, id } of batch) {
      const source = sources.get(id)
      if (source !== undefined) sourcesByNumber.set(number, source)
    }
  }
  return sourcesByNumber
}

/** The records of an archive have no ids, so the numbers of rules serve as ids. */
async function rulesOf(
  { component, rules, satisfactions }: ArchivedComponent,
  sources: ReadonlyMap<number, SourceRequirement>,
): Promise<readonly ExportedRule[]> {
  const byNumber = new Map(rules.map((rule) => [Number(rule.rule_id), rule]))
  const { satisfies, satisfiedBy } = linksOf(satisfactions, byNumber, component.prefix)
  const exported: ExportedRule[] = []
  const pauses = new Pauses()
  for (const record of rules) {
    const number = Number(record.rule_id)
    const [first] = satisfiedBy.get(number) ?? []
    const satisfier = first === undefined ? undefined : byNumber.get(first.number)
    exported.push({
      ...ruleOf(record, component),
      satisfies: satisfies.get(number) ?? [],
      satisfiedBy: satisfiedBy.get(number) ?? [],
      source: sources.get(number) ?? null,
      satisfierCheck: satisfier === undefined ? null : joinChecks(satisfier),
    })
    await pauses.rest()
  }
  return exported.sort((a, b) => compareCodeUnits(a.version ?? '', b.version ?? '') || a.number - b.number)
}

/** The links of the rules, by number. */
function linksOf(
  satisfactions: ArchivedComponent['satisfactions'],
  rules: ReadonlyMap<number, RuleRecord>,
  prefix: string,
): { readonly satisfies: ReadonlyMap<number, LinkedRule[]>; readonly satisfiedBy: ReadonlyMap<number, LinkedRule[]> } {
  const satisfies = new Map<number, LinkedRule[]>()
  const satisfiedBy = new Map<number, LinkedRule[]>()
  for (const { rule_id, satisfied_by_rule_id } of satisfactions) {
    const [child, parent] = [rules.get(Number(rule_id)), rules.get(Number(satisfied_by_rule_id))]
    if (child === undefined || parent === undefined) continue
    append(satisfies, Number(parent.rule_id), linkOf(child, prefix))
    append(satisfiedBy, Number(child.rule_id), linkOf(parent, prefix))
  }
  return { satisfies, satisfiedBy }
}

function linkOf({ rule_id, version, fixtext }: RuleRecord, prefix: string): LinkedRule {
  return { id: Number(rule_id), number: Number(rule_id), version, fixtext, prefix }
}

function ruleOf(
  record: RuleRecord,
  { prefix, document_type }: ArchivedComponent['component'],
): Omit<ExportedRule, 'satisfies' | 'satisfiedBy' | 'source' | 'satisfierCheck'> {
  const number = Number(record.rule_id)
  return {
    ...rowOf(record, record.updated_at ?? ''),
    id: number,
    component_id: 0,
    number,
    srg_rule_id: null,
    lock_version: 0,
    review_requestor_id: null,
    prefix,
    document_type,
    checks: record.checks.map((check, id) => ({ ...check, id, rule_id: number })),
    descriptions: record.rule_descriptions.map(({ description }, id) => ({ id, rule_id: number, description })),
    answers: [],
    comments: { open: 0, total: 0 },
  }
}
