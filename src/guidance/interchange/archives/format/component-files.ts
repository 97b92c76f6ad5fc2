import type { Selectable } from 'kysely'
import { yieldPieces } from '../../../../platform/concurrency/pieces.ts'
import { contentOf } from '../../../authoring/attachments/reader.ts'
import { portionsOf } from '../../../authoring/components/portions.ts'
import { publishedSourceOf } from '../../../authoring/components/reader.ts'
import { findRules } from '../../../authoring/rules/reader.ts'
import { ruleIdOf } from '../../../database/rule-names.ts'
import type { AdditionalQuestionsTable } from '../../../database/schema/components.ts'
import type { Reader } from '../../../database/transaction.ts'
import { findSnapshot } from '../../exports/component/snapshot.ts'
import type { Member } from '../../exports/files/zip.ts'
import { frozenContentOf } from '../../milestones/frozen-content.ts'
import type { ArchiveHead } from './heads.ts'
import { type RecordSource, reviewRecords } from './review-records.ts'
import { type Lineage, shapeRule } from './shape.ts'

/** A milestone or an attachment of a component, with the name of its file in the archive. */
interface ArchivedRecord<File extends string | null> {
  readonly id: number
  readonly bytes: number
  readonly record: object
  readonly file: File
}

type Question = Pick<Selectable<AdditionalQuestionsTable>, 'id' | 'name' | 'question_type' | 'options'>

export interface FilesSource extends RecordSource {
  /** Whether to write only the rules, with the list of their attachments. */
  readonly onlyRules: boolean
}

/** The files of one component. Each must be written before the next begins. */
export async function* filesOf(source: FilesSource, head: ArchiveHead): AsyncGenerator<Member, void> {
  const { id } = head.component
  const { reader } = source
  const questions = await reader
    .selectFrom('additional_questions')
    .select(['id', 'name', 'question_type', 'options'])
    .where('component_id', '=', id)
    .orderBy('id')
    .execute()
  // Filled while the rules are written. Links and reviews refer only to rules in it, because rules may change
  // meanwhile.
  const numbers = new Map<number, number>()
  const snapshot = await findSnapshot(reader, id)
  yield json('component.json', jsonPiece({ ...shapeComponent(head, questions), snapshot }))
  yield json('rules.json', jsonListPieces(ruleRecords(reader, id, { questions, numbers })))
  yield json('satisfactions.json', jsonListPieces(linkRecords(reader, id, numbers)))
  if (!source.onlyRules) yield json('reviews.json', jsonListPieces(reviewRecords(source, id, numbers)))
  const files = await findArchivedFiles(reader, id, numbers)
  if (files.length > 0) yield json('attachments.json', jsonListPieces(files.map(({ record }) => record)))
  if (source.onlyRules) return
  yield* membersOf(reader, files)
  const milestones = await findArchivedMilestones(reader, id)
  if (milestones.length === 0) return
  yield json('milestones.json', jsonListPieces(milestones.map(({ record }) => record)))
  yield* milestoneFilesOf(reader, milestones)
}

function json(name: string, pieces: AsyncIterable<string>): Member {
  return { name, content: yieldPieces(pieces) }
}

async function* jsonPiece(value: object): AsyncGenerator<string, void> {
  yield await Promise.resolve(`${JSON.stringify(value, null, 2)}\n`)
}

/** A JSON array with one record per line. */
async function* jsonListPieces(records: AsyncIterable<object> | Iterable<object>): AsyncGenerator<string, void> {
  let before = '[\n'
  for await (const record of records) {
    yield `${before}${JSON.stringify(record)}`
    before = ',\n'
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}

function shapeComponent({ component, sources, parent }: ArchiveHead, questions: readonly Question[]): object {
  const { name, prefix, version, release, title, description, document_type } = component
  const { admin_name, admin_email, comment_phase, closed_reason, last_rule_number } = component
  const { comment_period_starts_at, comment_period_ends_at, released_at } = component
  const { created_at, updated_at } = component
  const srgs = sources.map(({ srg_id, title, version }) => ({ srg_id, title, version }))
  const metadata: unknown = JSON.parse(component.metadata)
  return {
    name,
    prefix,
    version,
    release,
    title,
    description,
    document_type,
    released: component.released === 1,
    released_at,
    admin_name,
    admin_email,
    advanced_fields: component.advanced_fields === 1,
    comment_phase,
    closed_reason,
    comment_period_starts_at,
    comment_period_ends_at,
    created_at,
    updated_at,
    last_rule_number,
    based_on: srgs[0] ?? null,
    source_srgs: srgs,
    overlay_parent: parent,
    published_source: publishedSourceOf(component),
    metadata,
    additional_questions: questions.map(({ name, question_type, options }) => {
      const choices: unknown = JSON.parse(options)
      return { name, question_type, options: choices }
    }),
  }
}

interface RuleContext {
  readonly questions: readonly Question[]
  /** Receives the number of each written rule, by record id. */
  readonly numbers: Map<number, number>
}

async function* ruleRecords(
  reader: Reader,
  componentId: number,
  { questions, numbers }: RuleContext,
): AsyncGenerator<object, void> {
  const names = new Map(questions.map(({ id, name }) => [id, name]))
  const sources = await findLineage(reader, componentId)
  for await (const condition of portionsOf(reader, componentId)) {
    const rules = [...(await findRules(reader, condition))].sort((a, b) => a.number - b.number)
    for (const rule of rules) {
      numbers.set(rule.id, rule.number)
      yield shapeRule(rule, { source: sources.get(rule.srg_rule_id ?? 0), questions: names })
    }
  }
}

async function findLineage(reader: Reader, componentId: number): Promise<ReadonlyMap<number, Lineage>> {
  const rows = await reader
    .selectFrom('benchmark_rules')
    .innerJoin('benchmarks', 'benchmarks.id', 'benchmark_rules.benchmark_id')
    .select(['benchmark_rules.id', 'benchmark_rules.version', 'benchmark_rules.rule_id'])
    .select('benchmarks.benchmark_id as srg_id')
    .where('benchmark_rules.id', 'in', (is) =>
      is.selectFrom('rules').select('srg_rule_id').where('component_id', '=', componentId),
    )
    .execute()
  return new Map(rows.map(({ id, ...lineage }) => [id, lineage]))
}

/** Links between rules of the component. */
async function* linkRecords(
  reader: Reader,
  componentId: number,
  numbers: ReadonlyMap<number, number>,
): AsyncGenerator<object, void> {
  const links = await reader
    .selectFrom('rule_satisfactions as link')
    .select(['link.rule_id', 'link.satisfied_by_rule_id', 'link.previous_status'])
    .where('link.rule_id', 'in', (is) => is.selectFrom('rules').select('id').where('component_id', '=', componentId))
    .execute()
  const satisfactions = links.flatMap(({ rule_id, satisfied_by_rule_id, previous_status }) => {
    const [child, parent] = [numbers.get(rule_id), numbers.get(satisfied_by_rule_id)]
    return child === undefined || parent === undefined ? [] : [{ child, parent, previous_status }]
  })
  satisfactions.sort((a, b) => a.child - b.child || a.parent - b.parent)
  for (const { child, parent, previous_status } of satisfactions)
    yield { rule_id: ruleIdOf(child), satisfied_by_rule_id: ruleIdOf(parent), previous_status }
}

/** The attachments of the archived rules, in a fixed order. */
async function findArchivedFiles(
  reader: Reader,
  componentId: number,
  numbers: ReadonlyMap<number, number>,
): Promise<readonly ArchivedRecord<string>[]> {
  const rows = await reader
    .selectFrom('attachments')
    .innerJoin('rules', 'rules.id', 'attachments.rule_id')
    .select(['attachments.id', 'attachments.rule_id', 'attachments.name', 'attachments.sha256', 'attachments.bytes'])
    .select(['attachments.author_name', 'attachments.created_at'])
    .where('rules.component_id', '=', componentId)
    .orderBy('rules.number')
    .orderBy('attachments.id')
    .execute()
  return rows.flatMap(({ id, rule_id, bytes, ...described }, index) => {
    const number = numbers.get(rule_id)
    // Names that people chose may not suit the reader's file system, so files have numbers.
    const file = `attachments/${index + 1}`
    return number === undefined
      ? []
      : [{ id, bytes, file, record: { rule_id: ruleIdOf(number), file, ...described, bytes } }]
  })
}

/** The files one by one. */
function* membersOf(reader: Reader, files: readonly ArchivedRecord<string>[]): Generator<Member, void> {
  for (const record of files) yield { name: record.file, content: contentOf(reader, record) }
}

/** The milestones of a component, ordered by date. */
async function findArchivedMilestones(
  reader: Reader,
  componentId: number,
): Promise<readonly ArchivedRecord<string | null>[]> {
  const rows = await reader
    .selectFrom('milestones')
    .select(['id', 'bytes', 'name', 'due_on', 'reached_at', 'reached_by', 'snapshot', 'readiness'])
    .where('component_id', '=', componentId)
    .orderBy('due_on')
    .orderBy('id')
    .execute()
  return rows.map(({ id, bytes, readiness, ...described }, index) => {
    const file = described.reached_at === null ? null : `milestones/${index + 1}.zip`
    const frozen: unknown = readiness === null ? null : JSON.parse(readiness)
    return { id, bytes, file, record: { ...described, readiness: frozen, file } }
  })
}

/** The frozen archives one by one. */
function* milestoneFilesOf(
  reader: Reader,
  milestones: readonly ArchivedRecord<string | null>[],
): Generator<Member, void> {
  for (const milestone of milestones)
    if (milestone.file !== null) yield { name: milestone.file, content: frozenContentOf(reader, milestone) }
}
