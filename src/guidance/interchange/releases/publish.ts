import { sql } from 'kysely'
import { actorOf } from '../../../http/caller.ts'
import { refuseWithToast } from '../../../http/toast.ts'
import { Refusal } from '../../../platform/errors.ts'
import { writeAudit } from '../../activity/audits/writer.ts'
import { recordEvents } from '../../activity/events/record.ts'
import { requireComponentRole, type ComponentGrant } from '../../authoring/access/component-access.ts'
import { refuseConflict } from '../../authoring/component-editing/update.ts'
import { tokenOf } from '../../authoring/components/mint.ts'
import { requireRecord } from '../../authoring/components/reader.ts'
import { componentSubject } from '../../authoring/components/record.ts'
import { storeBenchmark } from '../../catalogue/benchmarks/writer.ts'
import type { ReceivedItem } from '../../catalogue/uploads/upload-thread.ts'
import type { Writer } from '../../database/transaction.ts'
import type { ExportedComponent } from '../exports/component/component.ts'
import { findChangelog, type Changelog } from './changelog.ts'

/** Title of the toast when a release is refused. */
export const NOT_RELEASED = 'Could not release component.'

export interface PublishedRelease {
  readonly catalog_srg: {
    readonly id: number
    readonly srg_id: string
    readonly version: string
    readonly name: string
  }
  readonly changelog: Changelog
}

interface NewRelease {
  readonly grant: ComponentGrant
  /** The component at the time when its document was made. */
  readonly component: ExportedComponent
  /** The document as read back. */
  readonly item: ReceivedItem
}

/** Stores a release, unless the component has changed since its document was made. */
export async function publish(writer: Writer, { grant, component, item }: NewRelease): Promise<PublishedRelease> {
  const { componentId, caller } = grant
  await writer.lock('component', componentId)
  await requireComponentRole(writer, caller, { componentId, least: 'author' })
  await requireUnchanged(writer, component)
  await mint(writer, component)
  const id = await store(writer, item, grant)
  await markReleased(writer, component, { benchmarkId: id, grant })
  const { name } = await writer.selectFrom('benchmarks').select('name').where('id', '=', id).executeTakeFirstOrThrow()
  const { benchmarkId: srg_id, version } = item.head
  return { catalog_srg: { id, srg_id, version, name }, changelog: await findChangelog(writer, id) }
}

async function requireUnchanged(writer: Writer, { component, rules }: ExportedComponent): Promise<void> {
  const now = await requireRecord(writer, component.id)
  if (now.released)
    throw refuseWithToast('validation_failed', NOT_RELEASED, [
      { field: 'released', message: 'It has already been released' },
    ])
  const rows = await writer
    .selectFrom('rules')
    .select(['id', 'lock_version'])
    .where('component_id', '=', component.id)
    .where('deleted_at', 'is', null)
    .execute()
  const exportedVersions = new Map(rules.map(({ id, lock_version }) => [id, lock_version]))
  const isSame =
    now.lock_version === component.lock_version &&
    rows.length === exportedVersions.size &&
    rows.every(({ id, lock_version }) => exportedVersions.get(id) === lock_version)
  if (!isSame) throw refuseConflict(now)
}

/** Sets the final ids of all rules in one statement, as `mintedId` makes them. */
async function mint(writer: Writer, { component }: ExportedComponent): Promise<void> {
  const ending = sql`${`${tokenOf(component.prefix) ?? ''}-`}
    || substr(cast(1000000 + number as text), 2)`
  await sql`
    update rules set minted_id = coalesce(version || '-', '') || ${ending}
    where component_id = ${component.id} and deleted_at is null
      and status = 'Applicable' and minted_id is null`.execute(writer)
}

async function store(writer: Writer, item: ReceivedItem, { caller }: ComponentGrant): Promise<number> {
  try {
    return (await storeBenchmark(writer, item, { replace: false, actor: actorOf(caller) })).id
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'version_taken') throw error
    const { benchmarkId, version } = item.head
    const message = `The catalogue has ${benchmarkId} ${version} with other content: choose another version, release or name`
    throw refuseWithToast('version_taken', NOT_RELEASED, [{ field: 'version', message }])
  }
}

async function markReleased(
  writer: Writer,
  { component }: ExportedComponent,
  { benchmarkId, grant: { caller } }: { readonly benchmarkId: number; readonly grant: ComponentGrant },
): Promise<void> {
  const { id, name, prefix, version, release, document_type, project_id: projectId } = component
  const now = new Date().toISOString()
  await writer
    .updateTable('components')
    .set({ released: 1, released_at: now, updated_at: now, benchmark_id: benchmarkId })
    .set({ lock_version: component.lock_version + 1 })
    .where('id', '=', id)
    .execute()
  const actor = actorOf(caller)
  await writeAudit(writer, actor, {
    action: 'update',
    subject: componentSubject(component),
    before: { released: false },
    after: { released: true },
  })
  const data = {
    component_id: id,
    name,
    prefix,
    document_type,
    version,
    release,
    srg_id: benchmarkId,
  }
  await recordEvents(writer, actor, [{ kind: 'component.released', projectId, componentId: id, data }])
}
