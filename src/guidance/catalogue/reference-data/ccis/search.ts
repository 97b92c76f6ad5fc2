import { Pauses } from '../../../../platform/concurrency/turns.ts'
import type { Reader } from '../../../database/transaction.ts'
import { cciNamed, controlsOf } from '../controls/control-names.ts'
import { isDeprecated, type Cci } from '../items.ts'
import { listCcis, type ReferenceSource } from '../reader.ts'

/** Limit of CCIs in an answer. */
const MAX_CCIS = 50

interface SearchableCci {
  readonly cci: Cci
  readonly deprecated: boolean
  /** Its id, definition and controls, in lower case. */
  readonly text: string
}

/** Caches the list that was searched last: lists never change, and only the newest is searched. */
const searchedLists = new WeakMap<
  Reader,
  { readonly sourceId: number; readonly ccis: Promise<readonly SearchableCci[]> }
>()

/** Finds the CCIs that contain all words: first the one with that id, then in document order, deprecated ones last. */
export async function searchCcis(
  reader: Reader,
  source: ReferenceSource,
  q: string,
): Promise<{ readonly total: number; readonly ccis: readonly Cci[] }> {
  const words = q
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return { total: 0, ccis: [] }
  const id = idOf(q)
  const ccis = await findSearchableCcis(reader, source)
  const exactMatch = ccis.filter(({ cci }) => cci.id === id)
  const otherCcis = ccis.filter(({ cci, text }) => cci.id !== id && words.every((word) => text.includes(word)))
  const matches = [
    ...exactMatch,
    ...otherCcis.filter(({ deprecated }) => !deprecated),
    ...otherCcis.filter(({ deprecated }) => deprecated),
  ]
  return { total: matches.length, ccis: matches.slice(0, MAX_CCIS).map(({ cci }) => cci) }
}

/** Returns the id for `cci-366` or `366`. */
function idOf(q: string): string | null {
  return cciNamed(q) ?? cciNamed(`CCI-${q.trim()}`)
}

function findSearchableCcis(reader: Reader, source: ReferenceSource): Promise<readonly SearchableCci[]> {
  const cached = searchedLists.get(reader)
  if (cached?.sourceId === source.id) return cached.ccis
  const ccis = readSearchable(reader, source)
  searchedLists.set(reader, { sourceId: source.id, ccis })
  // A list that could not be read is read again by the next request.
  ccis.catch(() => searchedLists.delete(reader))
  return ccis
}

async function readSearchable(reader: Reader, source: ReferenceSource): Promise<readonly SearchableCci[]> {
  const matches: SearchableCci[] = []
  const pauses = new Pauses()
  for (const cci of await listCcis(reader, source)) {
    const controls = controlsOf(cci.references).map(({ index }) => index)
    const text = [cci.id, cci.definition, ...controls].join('\n').toLowerCase()
    matches.push({ cci, deprecated: isDeprecated(cci), text })
    await pauses.rest()
  }
  return matches
}
