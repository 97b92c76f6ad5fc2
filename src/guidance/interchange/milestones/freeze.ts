import type { Document } from '../../../http/answer/answers.ts'
import { Refusal } from '../../../platform/errors.ts'
import { findReadiness } from '../../authoring/readiness/readiness.ts'
import { megabytes } from '../../catalogue/files/limits.ts'
import type { Reader } from '../../database/transaction.ts'
import { writeArchive } from '../archives/format/write.ts'
import { findSnapshot } from '../exports/component/snapshot.ts'
import { MAX_FROZEN_BYTES, type FrozenReadiness } from './schemas.ts'

/** The current state of a component, which a milestone stores. */
export interface FrozenComponent {
  /** An archive without comments and without the files of attachments. */
  readonly content: Buffer
  /** The digest of the rules. */
  readonly snapshot: string
  readonly readiness: FrozenReadiness
  /** Shows whether the component has changed since. */
  readonly versions: string
}

/** Reads all data that a milestone stores, before the transaction that stores them. */
export async function freezeComponent(
  reader: Reader,
  { componentId, version }: { readonly componentId: number; readonly version: string },
): Promise<FrozenComponent> {
  const versions = await findVersions(reader, componentId)
  const { body } = writeArchive({
    reader,
    version,
    componentIds: [componentId],
    withProject: false,
    includeSrg: false,
    includeMemberships: false,
    withEmail: false,
    onlyRules: true,
    fileName: 'milestone',
    now: new Date(),
  })
  const content = await collect(body)
  const snapshot = await findSnapshot(reader, componentId)
  return { content, snapshot, readiness: await readReadiness(reader, componentId), versions }
}

async function collect(body: Document['body']): Promise<Buffer> {
  if (typeof body === 'string' || body instanceof Uint8Array) throw new Error('The archive is not a stream')
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    const piece = Buffer.from(chunk)
    bytes += piece.length
    if (bytes > MAX_FROZEN_BYTES)
      throw new Refusal('too_large', `The component is larger than the limit of ${megabytes(MAX_FROZEN_BYTES)}.`)
    chunks.push(piece)
  }
  return Buffer.concat(chunks)
}

async function readReadiness(reader: Reader, componentId: number): Promise<FrozenReadiness> {
  const { ready, counts, items } = await findReadiness(reader, componentId)
  return {
    ready,
    counts,
    items: items.map(({ code, blocks, message, rule }) => ({
      code,
      blocks,
      message,
      rule: rule?.displayed_name ?? null,
    })),
  }
}

/** Joins the versions of a component and of its rules. */
export async function findVersions(reader: Reader, componentId: number): Promise<string> {
  const component = await reader
    .selectFrom('components')
    .select('lock_version')
    .where('id', '=', componentId)
    .executeTakeFirstOrThrow()
  const rules = await reader
    .selectFrom('rules')
    .select(['id', 'lock_version'])
    .where('component_id', '=', componentId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  return [component.lock_version, ...rules.map(({ id, lock_version }) => `${id}:${lock_version}`)].join(' ')
}
