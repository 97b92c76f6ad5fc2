import { randomBytes } from 'node:crypto'
import { dirname } from 'node:path'
import type { Kysely } from 'kysely'
import { probeFolder } from '../../platform/storage-watch.ts'
import type { Schema } from './schema/schema.ts'

/** In bytes: the file has to grow for it, and no cache is large enough to make that unnecessary. */
const TRIED = 256 * 1024

/** Writes a row and takes it back, and beside a SQLite file another file, as the log before it grows there. */
export async function probeDatabase(write: Kysely<Schema>, file: string | null): Promise<void> {
  if (file !== null) await probeFolder(dirname(file))
  const now = new Date().toISOString()
  const takenBack = new Error('What was written to see whether it can be')
  await write
    .transaction()
    .execute(async (transaction) => {
      await transaction
        .insertInto('sessions')
        .values({
          digest: randomBytes(16).toString('hex'),
          user_id: null,
          data: JSON.stringify({ probe: randomBytes(TRIED).toString('base64') }),
          ...{ created_at: now, touched_at: now, expires_at: now },
        })
        .execute()
      throw takenBack
    })
    .catch((error: unknown) => {
      if (error !== takenBack) throw error
    })
}
