import { sql } from 'kysely'
import type { z } from 'zod'
import { compareCodeUnits } from '../../../graph/term.ts'
import { notFound } from '../../../http/input.ts'
import { matcherOf } from '../../catalogue/abbreviations/terms.ts'
import type { Reader } from '../../database/transaction.ts'
import type { ComponentGrant } from '../access/component-access.ts'
import { lastChange } from '../components/last-change.ts'
import { daysRemaining, phaseOf } from '../components/phase.ts'
import { publishedSourceOf } from '../components/reader.ts'
import { countRules, figuresOf, percentage, severitiesOf, type CountScope } from '../components/rule-counts.ts'
import { triageCounts } from '../reviews/records/counts.ts'
import type {
  componentLatest,
  componentStats,
  componentSummary,
  projectStats,
  triageSummary,
  workflowState,
} from './schemas.ts'

/**
 * Finds the newest released component of each prefix, across all projects, by prefix. Returns those that contain the
 * text (docs/contract.md, Newest releases).
 */
export async function findLatestComponents(
  reader: Reader,
  q: string | undefined,
): Promise<z.infer<typeof componentLatest>[]> {
  const rows = await reader
    .selectFrom('components')
    .select(['id', 'prefix', 'name', 'version', 'release', 'title'])
    .where('released', '=', 1)
    .orderBy('id')
    .execute()
  const newest = new Map<string, (typeof rows)[number]>()
  for (const row of rows) {
    const newestRow = newest.get(row.prefix)
    if (newestRow === undefined || isNewer(row, newestRow)) newest.set(row.prefix, row)
  }
  const matches = matcherOf(q)
  return [...newest.values()]
    .filter(({ name, prefix, title }) => matches([name, prefix, title]))
    .sort((a, b) => compareCodeUnits(a.prefix, b.prefix))
}

interface ReleaseNumber {
  readonly version: number | null
  readonly release: number | null
}

/** Components without a number are the oldest. If numbers are equal, the one made later is newer. */
function isNewer(release: ReleaseNumber, other: ReleaseNumber): boolean {
  const version = (release.version ?? -1) - (other.version ?? -1)
  return version > 0 || (version === 0 && (release.release ?? -1) >= (other.release ?? -1))
}

export async function findSummary(
  reader: Reader,
  { componentId, role }: ComponentGrant,
  now: number,
): Promise<z.infer<typeof componentSummary>> {
  const row = await requireComponent(reader, componentId)
  const counts = (await countRules(reader, { componentId })).get(componentId) ?? []
  const { by_triage_status } = await triageCounts(reader, { componentId })
  const { id, name, prefix, document_type, title, version, release } = row
  const { comment_phase, closed_reason, comment_period_starts_at, comment_period_ends_at } = row
  return {
    id,
    name,
    prefix,
    document_type,
    title,
    version,
    release,
    project_id: row.project_id,
    component_id: row.component_id,
    comment_phase,
    closed_reason,
    comment_period_starts_at,
    comment_period_ends_at,
    based_on_title: row.based_on_title,
    based_on_version: row.based_on_version,
    published_source: publishedSourceOf(row),
    security_requirements_guide_id: row.security_requirements_guide_id,
    released: row.released === 1,
    rules_count: counts.reduce((sum, { rules }) => sum + rules, 0),
    memberships_count: row.memberships_count,
    severity_counts: severitiesOf(counts),
    pending_comment_count: by_triage_status.pending,
    effective_permissions: role,
    updated_at: row.last_change,
    ...phaseOf(row),
    comment_period_days_remaining: daysRemaining(row, now),
  }
}

async function requireComponent(reader: Reader, id: number) {
  return reader
    .selectFrom('components')
    .innerJoin('benchmarks', 'benchmarks.id', 'components.security_requirements_guide_id')
    .selectAll('components')
    .select(lastChange.as('last_change'))
    .select(['benchmarks.title as based_on_title', 'benchmarks.version as based_on_version'])
    .select(
      sql<number>`(select count(*) from component_memberships
        where component_id = components.id)`.as('memberships_count'),
    )
    .where('components.id', '=', id)
    .executeTakeFirstOrThrow(() => notFound())
}

/** ComponentStats (docs/contract.md, Statistics). */
export async function findStats(
  reader: Reader,
  { componentId, documentType }: ComponentGrant,
): Promise<z.infer<typeof componentStats>> {
  const counts = (await countRules(reader, { componentId })).get(componentId) ?? []
  const { rules_by_status, rules_by_severity, rule_count, completion_pct, lock_pct } = figuresOf(counts, documentType)
  return {
    document_type: documentType,
    rules_by_status: { ...rules_by_status },
    rules_by_severity,
    rule_count,
    completion_pct,
    lock_pct,
  }
}

/** ComponentWorkflowState (docs/contract.md, Workflow state). */
export async function findWorkflowState(
  reader: Reader,
  { componentId, documentType }: ComponentGrant,
): Promise<z.infer<typeof workflowState>> {
  const component = await requireComponent(reader, componentId)
  const counts = (await countRules(reader, { componentId })).get(componentId) ?? []
  const { rule_count: total, determined, locked, underReview } = figuresOf(counts, documentType)
  const { by_triage_status, awaiting } = await triageCounts(reader, { componentId })
  const { pending } = by_triage_status
  const released = component.released === 1
  return {
    document_type: documentType,
    authoring: { rules_total: total, rules_determined: determined },
    locks: { locked, total, all_locked: total > 0 && locked === total },
    reviews: { under_review: underReview },
    comment: {
      phase: component.comment_phase,
      ...phaseOf(component),
      pending_comments: pending,
    },
    triage: { pending, awaiting_adjudication: awaiting },
    export: { released, releasable: !released && locked === total },
  }
}

/** TriageSummary (docs/contract.md, Triage summary). */
export async function findTriageSummary(reader: Reader, scope: CountScope): Promise<z.infer<typeof triageSummary>> {
  const { by_triage_status, total, adjudicated } = await triageCounts(reader, scope)
  const adjudication_pct = percentage(adjudicated, total)
  return { by_triage_status: { ...by_triage_status }, total, adjudicated, adjudication_pct }
}

/** ProjectStats (docs/contract.md, Statistics). Two queries, however many components there are. */
export async function findProjectStats(reader: Reader, projectId: number): Promise<z.infer<typeof projectStats>> {
  const counts = await countRules(reader, { projectId })
  const components = await reader
    .selectFrom('components')
    .select(['id', 'name', 'prefix', 'document_type'])
    .where('project_id', '=', projectId)
    .execute()
  const withFigures = components.map((component) => {
    const ruleCounts = counts.get(component.id) ?? []
    return { component, ruleCounts, figures: figuresOf(ruleCounts, component.document_type) }
  })
  const ofKind = (kind: 'stig' | 'srg') =>
    figuresOf(
      withFigures.filter(({ component }) => component.document_type === kind).flatMap(({ ruleCounts }) => ruleCounts),
      kind,
    )
  const stig = ofKind('stig')
  const srg = ofKind('srg')
  const rule_count = stig.rule_count + srg.rule_count
  return {
    aggregate: {
      rules_by_status_by_type: { stig: stig.rules_by_status, srg: srg.rules_by_status },
      rules_by_severity: severitiesOf(withFigures.flatMap(({ ruleCounts }) => ruleCounts)),
      rule_count,
      completion_pct: percentage(stig.determined + srg.determined, rule_count),
      lock_pct: percentage(stig.locked + srg.locked, rule_count),
    },
    components: withFigures
      .map(({ component, figures: { rule_count: count, completion_pct, lock_pct } }) => {
        return { ...component, rule_count: count, completion_pct, lock_pct }
      })
      .sort((a, b) => compareCodeUnits(a.prefix, b.prefix) || a.id - b.id),
  }
}
