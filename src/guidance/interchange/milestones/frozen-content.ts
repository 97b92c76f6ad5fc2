import type { Reader } from '../../database/transaction.ts'

/** The archive of a reached milestone in portions. Fails if the milestone is removed meanwhile. */
export async function* frozenContentOf(
  reader: Reader,
  { id, bytes }: { readonly id: number; readonly bytes: number },
): AsyncGenerator<Uint8Array, void> {
  for (let position = 0, sent = 0; sent < bytes; position += 1) {
    const { content } = await reader
      .selectFrom('milestone_parts')
      .select('content')
      .where('milestone_id', '=', id)
      .where('position', '=', position)
      .executeTakeFirstOrThrow()
    sent += content.byteLength
    yield Buffer.from(content)
  }
}
