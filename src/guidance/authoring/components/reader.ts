import type { Selectable } from 'kysely'
import { z } from 'zod'
import { notFound } from '../../../http/input.ts'
import type { ComponentsTable } from '../../database/schema/components.ts'
import type { Reader } from '../../database/transaction.ts'
import { countPending, countRulesOf, isLocked, sumOf, type ComponentCondition } from './counts.ts'
import { lastChange } from './last-change.ts'
import { severitiesOf } from './rule-counts.ts'
import type { ComponentCard, ComponentRecord, PublishedSource, Question } from './schemas.ts'

/** Components for lists, by name; three queries, however many there are. */
export async function findCards(reader: Reader, condition: ComponentCondition): Promise<ComponentCard[]> {
  const rows = await reader
    .selectFrom('components')
    .innerJoin('benchmarks', 'benchmarks.id', 'components.security_requirements_guide_id')
    .select(CARD)
    .select(lastChange.as('updated_at'))
    .select(['benchmarks.title as based_on_title', 'benchmarks.version as based_on_version'])
    .where(condition)
    .orderBy('components.name_key')
    .orderBy('components.id')
    .execute()
  const counts = await countRulesOf(reader, condition)
  const pending = await countPending(reader, condition)
  return rows.map((row) => {
    const ruleCounts = counts.get(row.id) ?? []
    const released = row.released === 1
    const rules_count = sumOf(ruleCounts)
    return {
      ...row,
      released,
      releasable: !released && sumOf(ruleCounts, isLocked) === rules_count,
      rules_count,
      severity_counts: severitiesOf(ruleCounts),
      pending_comment_count: pending.get(row.id) ?? 0,
    }
  })
}

const CARD = [
  'components.id',
  'components.name',
  'components.prefix',
  'components.title',
  'components.description',
  'components.version',
  'components.release',
  'components.document_type',
  'components.project_id',
  'components.component_id',
  'components.security_requirements_guide_id',
  'components.admin_name',
  'components.admin_email',
  'components.released',
] as const

const metadataColumn = z.record(z.string(), z.string())

/** A component without its parts; 404 if it does not exist. */
export async function requireRecord(reader: Reader, id: number): Promise<ComponentRecord> {
  const [card] = await findCards(reader, (is) => is('components.id', '=', id))
  const component = await reader
    .selectFrom('components')
    .select(['advanced_fields', 'created_at', 'lock_version', 'metadata'])
    .select(['comment_phase', 'closed_reason'])
    .select(['comment_period_starts_at', 'comment_period_ends_at', 'source_stig_id', 'source_stig_version'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (card === undefined || component === undefined) throw notFound()
  const { members } = await reader
    .selectFrom('component_memberships')
    .select((is) => is.fn.countAll<number>().as('members'))
    .where('component_id', '=', id)
    .executeTakeFirstOrThrow()
  const { source_stig_id, source_stig_version, ...described } = component
  return {
    ...card,
    ...described,
    advanced_fields: component.advanced_fields === 1,
    metadata: metadataColumn.parse(JSON.parse(component.metadata)),
    memberships_count: members,
    source_srgs: await findSourceSrgs(reader, id),
    published_source: publishedSourceOf({ source_stig_id, source_stig_version }),
    additional_questions: await findQuestions(reader, id),
  }
}

/** The published STIG from which a component was made; null if it was made in another way. */
export function publishedSourceOf(
  row: Pick<Selectable<ComponentsTable>, 'source_stig_id' | 'source_stig_version'>,
): PublishedSource | null {
  const { source_stig_id: stig_id, source_stig_version: version } = row
  return stig_id === null || version === null ? null : { stig_id, version }
}

function findSourceSrgs(reader: Reader, componentId: number): Promise<ComponentRecord['source_srgs']> {
  return reader
    .selectFrom('component_srgs')
    .innerJoin('benchmarks', 'benchmarks.id', 'component_srgs.benchmark_id')
    .select(['benchmarks.id', 'benchmarks.benchmark_id as srg_id'])
    .select(['benchmarks.title', 'benchmarks.version'])
    .where('component_srgs.component_id', '=', componentId)
    .orderBy('component_srgs.position')
    .execute()
}

const optionsColumn = z.array(z.string())

/** Lists questions in the order in which they were added. */
export async function findQuestions(reader: Reader, componentId: number): Promise<Question[]> {
  const rows = await reader
    .selectFrom('additional_questions')
    .selectAll()
    .where('component_id', '=', componentId)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, options: optionsColumn.parse(JSON.parse(row.options)) }))
}
