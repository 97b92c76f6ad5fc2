import { id } from '../../../http/input.ts'
import type { Reader } from '../../database/transaction.ts'
import { CATALOGUES } from './catalogues.ts'

/**
 * Whether there is a benchmark at a path such as `/stigs/7`. Everybody may know: its counts and links are open to
 * all under the same number. Where that cannot be found out now, it may have.
 */
export async function hasBenchmark(reader: Reader, path: string): Promise<boolean> {
  const [, folder, name] = path.split('/')
  const catalogue = CATALOGUES.find((one) => one.path === folder)
  const number = id.safeParse(name)
  if (catalogue === undefined || !number.success) return false
  try {
    const row = await reader.selectFrom('benchmarks').select('kind').where('id', '=', number.data).executeTakeFirst()
    return row?.kind === catalogue.kind
  } catch {
    return true
  }
}
