import type { Actor } from '../../../../http/caller.ts'
import type { Writer } from '../../../database/transaction.ts'
import type { StoredReferenceMember } from '../../imports/outcome.ts'
import { nameOf } from '../items.ts'
import type { ReceivedReference } from './reference-thread.ts'
import { storeReferenceData } from './writer.ts'

/** Stores a version of a list completely or not at all. Returns the result for reports. */
export async function importReferenceData(
  writer: Writer,
  received: ReceivedReference,
  actor: Actor,
): Promise<StoredReferenceMember> {
  const { kind, version, itemCount, digest } = received
  const { outcome } = await storeReferenceData(writer, received, actor)
  return { kind, name: nameOf(received), version, digest, item_count: itemCount, outcome }
}
