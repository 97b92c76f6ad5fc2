import { inPortions, Pace } from '../../../platform/concurrency/turns.ts'
import type { ReferenceKind } from '../../../tables/reference-kinds.ts'
import { decodeSegment, type Iris } from '../../catalogue/linked-data/graph/iris.ts'
import { cciNamed, controlNamed } from '../../catalogue/reference-data/controls/control-names.ts'
import { newestSources } from '../../catalogue/reference-data/reader.ts'
import { summaryOf, type ItemSummary } from '../../catalogue/reference-data/summary.ts'
import type { Reader } from '../../database/transaction.ts'

/** One of ATT&CK has up to 400 kB. */
const PORTION = 10

/** Items of the newest version of each list of reference data, by the names that were asked for. */
export async function findReferenceItems(
  reader: Reader,
  iris: Iris,
  names: readonly string[],
): Promise<ReadonlyMap<string, ItemSummary>> {
  const idByName = new Map(names.flatMap((name) => pairOf(name, itemIdOf(iris, name))))
  if (idByName.size === 0) return new Map()
  const kinds = new Map((await newestSources(reader)).map(({ id, kind }) => [id, kind]))
  const items = await readItems(reader, kinds, [...new Set(idByName.values())])
  return new Map([...idByName].flatMap(([name, id]) => pairOf(name, items.get(id) ?? null)))
}

function pairOf<T>(name: string, value: T | null): readonly (readonly [string, T])[] {
  return value === null ? [] : [[name, value]]
}

async function readItems(
  reader: Reader,
  kinds: ReadonlyMap<number, ReferenceKind>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ItemSummary>> {
  const found = new Map<string, ItemSummary>()
  if (kinds.size === 0) return found
  const pace = new Pace()
  for await (const portion of inPortions(ids, PORTION)) {
    const rows = await reader
      .selectFrom('reference_items')
      .select(['source_id', 'item_id', 'document'])
      .where('source_id', 'in', [...kinds.keys()])
      .where('item_id', 'in', portion)
      .execute()
    for (const { source_id, item_id, document } of rows) {
      const kind = kinds.get(source_id)
      if (kind !== undefined) found.set(item_id, summaryOf(kind, JSON.parse(document)))
      await pace.rest()
    }
  }
  return found
}

/** The id of the item that a text may name: `cci 15`, `ac-2.1`, `t1110`, `m1032`, `cwe 79`, or an IRI; null for others. */
function itemIdOf(iris: Iris, text: string): string | null {
  const name = withoutBase(iris, text)
  return cciNamed(name) ?? controlNamed(name) ?? attackNamed(name) ?? weaknessNamed(name)
}

function withoutBase(iris: Iris, text: string): string {
  const folders = [iris.cci(''), iris.control(''), iris.attack(''), iris.weakness('')]
  const folder = folders.find((one) => text.startsWith(one))
  return folder === undefined ? text : decodeSegment(text.slice(folder.length))
}

function attackNamed(name: string): string | null {
  return /^(?:TA|[TM])\d{4}(?:\.\d{3})?$/i.test(name) ? name.toUpperCase() : null
}

function weaknessNamed(name: string): string | null {
  const number = /^cwe[-\s]?(\d{1,6})$/i.exec(name)?.[1]
  return number === undefined ? null : `CWE-${number}`
}
