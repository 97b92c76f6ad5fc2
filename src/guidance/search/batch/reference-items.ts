import { inPortions, Pauses } from '../../../platform/concurrency/turns.ts'
import { decodeSegment, type Iris } from '../../catalogue/linked-data/graph/iris.ts'
import { cciNamed, controlNamed } from '../../catalogue/reference-data/controls/control-names.ts'
import { usedSources, type ReferenceSource } from '../../catalogue/reference-data/reader.ts'
import { summaryOf, type ItemSummary } from '../../catalogue/reference-data/summary.ts'
import type { Reader } from '../../database/transaction.ts'

/** An item of ATT&CK has up to 400 kB. */
const BATCH_SIZE = 10

/** Items of reference data by the requested names, each from the newest version that is used. */
export async function findReferenceItems(
  reader: Reader,
  iris: Iris,
  names: readonly string[],
): Promise<ReadonlyMap<string, ItemSummary>> {
  const idByName = new Map(names.flatMap((name) => pairOf(name, itemIdOf(iris, name))))
  if (idByName.size === 0) return new Map()
  const items = await readItems(reader, await usedSources(reader), [...new Set(idByName.values())])
  return new Map([...idByName].flatMap(([name, id]) => pairOf(name, items.get(id) ?? null)))
}

function pairOf<T>(name: string, value: T | null): readonly (readonly [string, T])[] {
  return value === null ? [] : [[name, value]]
}

async function readItems(
  reader: Reader,
  sources: readonly ReferenceSource[],
  ids: readonly string[],
): Promise<ReadonlyMap<string, ItemSummary>> {
  const items = new Map<string, ItemSummary>()
  const pauses = new Pauses()
  // The newest version comes last, and its items replace those of the others.
  for (const { id, kind } of sources.toReversed()) {
    for await (const portion of inPortions(ids, BATCH_SIZE)) {
      for (const { item_id, document } of await findItems(reader, id, portion)) {
        items.set(item_id, summaryOf(kind, JSON.parse(document)))
        await pauses.rest()
      }
    }
  }
  return items
}

function findItems(reader: Reader, source: number, ids: readonly string[]) {
  return reader
    .selectFrom('reference_items')
    .select(['item_id', 'document'])
    .where('source_id', '=', source)
    .where('item_id', 'in', ids)
    .execute()
}

/** The id of the item that a text may name: `cci 15`, `ac-2.1`, `t1110`, `m1032`, `cwe 79`, or an IRI; null for others. */
function itemIdOf(iris: Iris, text: string): string | null {
  const name = withoutBase(iris, text)
  return cciNamed(name) ?? controlNamed(name) ?? attackNamed(name) ?? weaknessNamed(name)
}

function withoutBase(iris: Iris, text: string): string {
  const folders = [iris.cci(''), iris.control(''), iris.attack(''), iris.weakness('')]
  const folder = folders.find((candidate) => text.startsWith(candidate))
  return folder === undefined ? text : decodeSegment(text.slice(folder.length))
}

function attackNamed(name: string): string | null {
  return /^(?:TA|[TM])\d{4}(?:\.\d{3})?$/i.test(name) ? name.toUpperCase() : null
}

function weaknessNamed(name: string): string | null {
  const number = /^cwe[-\s]?(\d{1,6})$/i.exec(name)?.[1]
  return number === undefined ? null : `CWE-${number}`
}
