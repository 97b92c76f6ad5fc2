import { id } from '../../../http/input.ts'
import type { Reader } from '../../database/transaction.ts'
import { CATALOGUES } from './catalogues.ts'

/**
 * Whether there is a benchmark at a path such as `/stigs/7`. No rights are needed, because counts and links are public
 * under the same number. True if the database cannot answer now.
 */
export async function hasBenchmark(reader: Reader, path: string): Promise<boolean> {
  const [, folder, name] = path.split('/')
  const catalogue = CATALOGUES.find((candidate) => candidate.path === folder)
  const number = id.safeParse(name)
  if (catalogue === undefined || !number.success) return false
  try {
    const row = await reader.selectFrom('benchmarks').select('kind').where('id', '=', number.data).executeTakeFirst()
    return row?.kind === catalogue.kind
  } catch {
    return true
  }
}
