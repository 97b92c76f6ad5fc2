import { randomBytes } from 'node:crypto'
import { dirname } from 'node:path'
import type { Kysely } from 'kysely'
import { probeFolder } from '../../platform/storage-watch.ts'
import type { Schema } from './schema/schema.ts'

/** In bytes; larger than any cache, so that the file has to grow. */
const PROBE_BYTES = 256 * 1024

/** Writes a row and rolls it back. For SQLite, also writes a file beside the database, because its log grows there. */
export async function probeDatabase(write: Kysely<Schema>, file: string | null): Promise<void> {
  if (file !== null) await probeFolder(dirname(file))
  const now = new Date().toISOString()
  const rollback = new Error('Rolls the probe back')
  await write
    .transaction()
    .execute(async (transaction) => {
      await transaction
        .insertInto('sessions')
        .values({
          digest: randomBytes(16).toString('hex'),
          user_id: null,
          data: JSON.stringify({ probe: randomBytes(PROBE_BYTES).toString('base64') }),
          created_at: now,
          touched_at: now,
          expires_at: now,
        })
        .execute()
      throw rollback
    })
    .catch((error: unknown) => {
      if (error !== rollback) throw error
    })
}
