import type { Caller } from '../../http/caller.ts'
import { manyRows } from '../database/many-rows.ts'
import type { Reader } from '../database/transaction.ts'
import { mayReadComponent } from '../parts/readable.ts'

/** Numbers of the components that the caller may read; visitors may only read the catalogue. */
export async function readableComponents(reader: Reader, caller: Caller | null): Promise<readonly number[]> {
  if (caller === null) return []
  const rows = await reader
    .selectFrom('components')
    .select('id')
    .where(mayReadComponent(caller))
    .withPlugin(manyRows)
    .execute()
  return rows.map(({ id }) => id)
}
