import { actorOf, type Caller } from '../../../http/caller.ts'
import { refuseValues } from '../../../http/toast.ts'
import { foldText } from '../../../platform/characters.ts'
import { Refusal } from '../../../platform/errors.ts'
import { writeAudit } from '../../activity/audits/writer.ts'
import { recordEvents } from '../../activity/events/record.ts'
import { type ComponentGrant, requireComponentRole } from '../../authoring/access/component-access.ts'
import { requireRecord } from '../../authoring/components/reader.ts'
import { componentSubject } from '../../authoring/components/record.ts'
import { megabytes } from '../../catalogue/files/limits.ts'
import type { Database } from '../../database/database.ts'
import type { Role } from '../../database/schema/memberships.ts'
import type { Writer } from '../../database/transaction.ts'
import { partsOf } from '../../parts/stored-parts.ts'
import { findVersions, type FrozenComponent } from './freeze.ts'
import { findMilestones, type MilestoneRow, requireMilestone } from './reader.ts'
import { MAX_ALL_FROZEN_BYTES, MAX_MILESTONES } from './schemas.ts'

/** A date of DISA's process for vendors, in days after the intent form. */
interface PlannedMilestone {
  readonly name: string
  readonly days: number
}

/**
 * The stages of DISA's process. The template takes two weeks, and drafts are due 30, 60 and 90 days after it. DISA sets
 * the dates of the last three; until then, they are estimates.
 */
const USUAL_PLAN: readonly PlannedMilestone[] = [
  { name: 'Intent form', days: 0 },
  { name: 'SRG template, first ten requirements', days: 14 },
  { name: 'Draft at 30 days', days: 44 },
  { name: 'Draft at 60 days', days: 74 },
  { name: 'Initial draft at 90 days', days: 104 },
  { name: 'DISA validation', days: 134 },
  { name: 'Public comment', days: 164 },
  { name: 'Release', days: 194 },
]

const DAY_MS = 86_400_000

export const NOT_CHANGED = 'Could not change the milestones.'

/**
 * Makes a change with the component locked, if the caller may still make it. Adds it to the history, and notifies
 * webhooks.
 */
export function changeMilestones<T>(
  database: Database,
  { grant: { caller, componentId }, least }: { readonly grant: ComponentGrant; readonly least: Role },
  work: (writer: Writer) => Promise<T>,
): Promise<T> {
  return database.transact(async (writer) => {
    await writer.lock('component', componentId)
    await requireComponentRole(writer, caller, { componentId, least })
    const before = describeMilestones(await findMilestones(writer, componentId))
    const result = await work(writer)
    const after = describeMilestones(await findMilestones(writer, componentId))
    if (before.join('\n') !== after.join('\n')) await recordChange(writer, { componentId, caller, before, after })
    return result
  })
}

function describeMilestones(milestones: readonly MilestoneRow[]): readonly string[] {
  return milestones.map(({ name, due_on, reached_at }) => {
    const reached = reached_at === null ? '' : `, reached ${reached_at.slice(0, 10)}`
    return `${name}: ${due_on}${reached}`
  })
}

interface RecordedChange {
  readonly componentId: number
  readonly caller: Caller
  readonly before: readonly string[]
  readonly after: readonly string[]
}

async function recordChange(writer: Writer, { componentId, caller, before, after }: RecordedChange): Promise<void> {
  const component = await requireRecord(writer, componentId)
  const { name, prefix, document_type, released, comment_phase, closed_reason, project_id: projectId } = component
  await writeAudit(writer, actorOf(caller), {
    action: 'update',
    subject: componentSubject(component),
    before: { milestones: before },
    after: { milestones: after },
  })
  const phase = { released, comment_phase, closed_reason }
  const data = { component_id: componentId, name, prefix, document_type, ...phase, changed: ['milestones'] }
  await recordEvents(writer, actorOf(caller), [{ kind: 'component.updated', projectId, componentId, data }])
}

interface NewMilestone {
  readonly name: string
  readonly due_on: string
}

/** Adds a milestone, and returns its id. Refuses a name that is taken, and more milestones than the limit. */
export async function addMilestone(
  writer: Writer,
  componentId: number,
  { name, due_on }: NewMilestone,
): Promise<number> {
  const present = await findMilestones(writer, componentId)
  requireFreeName(present, name)
  if (present.length >= MAX_MILESTONES)
    throw refuse(null, `A component has at most ${MAX_MILESTONES} milestones. Remove one first.`)
  return insertMilestone(writer, componentId, { name, due_on })
}

export async function insertMilestone(
  writer: Writer,
  componentId: number,
  { name, due_on }: NewMilestone,
): Promise<number> {
  const { id } = await writer
    .insertInto('milestones')
    .values({ component_id: componentId, name, due_on, bytes: 0, created_at: new Date().toISOString() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

function requireFreeName(others: readonly MilestoneRow[], name: string): void {
  if (others.some((other) => foldText(other.name) === foldText(name)))
    throw refuse('name', 'Name has already been taken')
}

function refuse(field: string | null, message: string): Error {
  return refuseValues(NOT_CHANGED, [{ field, message }])
}

/** Adds the missing milestones of the usual plan, and moves its milestones that are not reached to the new dates. */
export async function layOutPlan(writer: Writer, componentId: number, start: string): Promise<void> {
  for (const { name, days } of USUAL_PLAN) {
    const due_on = daysAfter(start, days)
    const present = await findMilestones(writer, componentId)
    const milestone = present.find((candidate) => foldText(candidate.name) === foldText(name))
    if (milestone === undefined) await addMilestone(writer, componentId, { name, due_on })
    else if (milestone.reached_at === null)
      await writer.updateTable('milestones').set({ due_on }).where('id', '=', milestone.id).execute()
  }
}

interface MilestoneTarget {
  readonly componentId: number
  readonly id: number
}

export async function updateMilestone(
  writer: Writer,
  { componentId, id }: MilestoneTarget,
  changes: { readonly name?: string | undefined; readonly due_on?: string | undefined },
): Promise<void> {
  const milestone = await requireMilestone(writer, componentId, id)
  const { name = milestone.name, due_on = milestone.due_on } = changes
  const others = (await findMilestones(writer, componentId)).filter((other) => other.id !== id)
  requireFreeName(others, name)
  await writer.updateTable('milestones').set({ name, due_on }).where('id', '=', id).execute()
}

export async function removeMilestone(writer: Writer, { componentId, id }: MilestoneTarget): Promise<void> {
  await requireMilestone(writer, componentId, id)
  await writer.deleteFrom('milestones').where('id', '=', id).execute()
}

/** Stores the frozen component, unless it has changed meanwhile. A milestone can be reached only once. */
export async function reachMilestone(
  writer: Writer,
  { componentId, id, caller }: MilestoneTarget & { readonly caller: Pick<Caller, 'name'> },
  frozen: FrozenComponent,
): Promise<void> {
  requireOpen(await requireMilestone(writer, componentId, id))
  if ((await findVersions(writer, componentId)) !== frozen.versions)
    throw new Refusal('edit_conflict', 'Somebody changed the component while it was being frozen. Try again.')
  requireSpace(await findMilestones(writer, componentId), frozen.content.length)
  await storeFrozen(writer, id, {
    reached_at: new Date().toISOString(),
    reached_by: caller.name,
    snapshot: frozen.snapshot,
    readiness: JSON.stringify(frozen.readiness),
    content: frozen.content,
  })
}

function requireSpace(milestones: readonly MilestoneRow[], added: number): void {
  const stored = milestones.reduce((total, { bytes }) => total + bytes, 0)
  if (stored + added > MAX_ALL_FROZEN_BYTES)
    throw refuse(
      null,
      `The milestones of a component freeze at most ${megabytes(MAX_ALL_FROZEN_BYTES)} together. Remove one first.`,
    )
}

export function requireOpen({ name, reached_at }: MilestoneRow): void {
  if (reached_at !== null) throw refuse(null, `${name} was reached on ${reached_at.slice(0, 10)}`)
}

interface StoredFreeze {
  readonly reached_at: string
  readonly reached_by: string | null
  readonly snapshot: string | null
  readonly readiness: string | null
  readonly content: Buffer
}

/** Marks a milestone as reached, with its archive. */
export async function storeFrozen(writer: Writer, id: number, { content, ...columns }: StoredFreeze): Promise<void> {
  await writer
    .updateTable('milestones')
    .set({ ...columns, bytes: content.length })
    .where('id', '=', id)
    .execute()
  for (const part of partsOf(content))
    await writer
      .insertInto('milestone_parts')
      .values({ milestone_id: id, ...part })
      .execute()
}

/** The date so many days later, as YYYY-MM-DD. */
function daysAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}
