import type { z } from 'zod'
import { notFound } from '../../../http/input.ts'
import { findComponentHistory } from '../../activity/audits/reader.ts'
import { lineKey, listReleases } from '../../catalogue/benchmarks/releases.ts'
import type { Reader } from '../../database/transaction.ts'
import type { ComponentGrant } from '../access/component-access.ts'
import { countRulesOf } from '../components/counts.ts'
import { findInPortions } from '../components/portions.ts'
import { requireRecord } from '../components/reader.ts'
import { figuresOf } from '../components/rule-counts.ts'
import {
  componentOpen,
  type componentEditor,
  type componentReadOnly,
  type ComponentRecord,
} from '../components/schemas.ts'
import { findMemberships } from '../memberships/reader.ts'
import { countMovedOut } from '../relocations/executed.ts'
import { findReviews } from '../reviews/records/reader.ts'
import { findEditorRules } from '../rule-editing/editor.ts'
import { findRules } from '../rules/reader.ts'
import { shapeView } from '../rules/shape.ts'

const NEWEST = 20

type EditorView = z.infer<typeof componentEditor>
type ReadOnlyView = z.infer<typeof componentReadOnly>

/** A component with all records that the caller may see. */
export async function findView(reader: Reader, grant: ComponentGrant): Promise<EditorView | ReadOnlyView> {
  const record = await requireRecord(reader, grant.componentId)
  const { role } = grant
  return role === null
    ? findReadOnly(reader, grant, record)
    : { ...(await findEditor(reader, grant, record)), effective_permissions: role }
}

async function findEditor(
  reader: Reader,
  { componentId, caller }: ComponentGrant,
  record: ComponentRecord,
): Promise<Omit<EditorView, 'effective_permissions'>> {
  const { document_type, project_id, security_requirements_guide_id } = record
  const counts = await countRulesOf(reader, (is) => is('components.id', '=', componentId))
  const { rules_by_status } = figuresOf(counts.get(componentId) ?? [], document_type)
  const reviews = await findReviews(reader, caller, { componentId, newest: NEWEST })
  return {
    ...record,
    status_counts: { ...rules_by_status },
    moved_out_count: await countMovedOut(reader, componentId),
    ...(await findNewest(reader, security_requirements_guide_id)),
    rules: await findInPortions(reader, componentId, (condition) => findEditorRules(reader, condition, caller)),
    reviews: [...reviews],
    histories: [...(await findComponentHistory(reader, componentId, NEWEST))],
    memberships: await findDirectMembers(reader, componentId),
    inherited_memberships: await findMemberships(reader, (is) => is('projects.id', '=', project_id)),
  }
}

async function findReadOnly(
  reader: Reader,
  { componentId, caller }: ComponentGrant,
  record: ComponentRecord,
): Promise<ReadOnlyView> {
  const reviews = await findReviews(reader, caller, { componentId, newest: NEWEST })
  return {
    ...componentOpen.parse(record),
    effective_permissions: null,
    rules: await findInPortions(reader, componentId, async (condition) =>
      (await findRules(reader, condition)).map(shapeView),
    ),
    reviews: [...reviews],
  }
}

type LatestSrgFields = Pick<EditorView, 'srg_is_latest' | 'srg_latest_version' | 'srg_latest_id'>

/** The newest release of the SRG that a component was made from. */
async function findNewest(reader: Reader, srgId: number): Promise<LatestSrgFields> {
  const releases = await listReleases(reader)
  const basis = releases.find(({ id }) => id === srgId)
  if (basis === undefined) throw notFound()
  const newest = releases.findLast((release) => lineKey(release) === lineKey(basis)) ?? basis
  return {
    srg_is_latest: newest.id === srgId,
    srg_latest_version: newest.version,
    srg_latest_id: newest.id,
  }
}

async function findDirectMembers(reader: Reader, componentId: number): Promise<EditorView['memberships']> {
  const rows = await reader
    .selectFrom('component_memberships')
    .innerJoin('users', 'users.id', 'component_memberships.user_id')
    .select(['component_memberships.id', 'component_memberships.user_id'])
    .select(['component_memberships.role', 'component_memberships.component_id as membership_id'])
    .select(['users.name', 'users.email'])
    .where('component_memberships.component_id', '=', componentId)
    .orderBy('component_memberships.id')
    .execute()
  return rows.map((row) => ({ ...row, membership_type: 'Component' }))
}
