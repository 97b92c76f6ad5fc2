import type { Reader } from '../../../database/transaction.ts'
import { hasBenchmark } from '../../benchmarks/has-benchmark.ts'
import { listedControl } from '../../benchmarks/listed-controls.ts'
import { cciNamed, controlNamed } from '../../reference-data/controls/control-names.ts'

const NAMED = /^\/(ccis|controls)\/(.+)$/

/** Whether a page at a path such as `/stigs/7`, `/ccis/CCI-000366` or `/controls/AC-2(1)` has something to show. */
export function hasRecord(reader: Reader, path: string): Promise<boolean> {
  const [, folder, name = ''] = NAMED.exec(path) ?? []
  if (folder === undefined) return hasBenchmark(reader, path)
  const id = folder === 'ccis' ? cciNamed(name) : controlNamed(name)
  return id === null ? Promise.resolve(false) : isKnown(reader, id)
}

/** Whether any list has it, loaded or not. If that cannot be found out now, it may be. */
async function isKnown(reader: Reader, id: string): Promise<boolean> {
  if (listedControl(id) !== null) return true
  try {
    // With its source, an item is found by the index.
    const sources = reader.selectFrom('reference_sources').select('id')
    const item = reader.selectFrom('reference_items').select('id').where('source_id', 'in', sources)
    const place = reader.selectFrom('reference_controls').select('id').where('control', '=', id)
    return (await item.where('item_id', '=', id).unionAll(place).limit(1).executeTakeFirst()) !== undefined
  } catch {
    return true
  }
}
