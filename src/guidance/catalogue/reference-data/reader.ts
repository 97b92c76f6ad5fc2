import { append } from '../../../platform/append.ts'
import { inPortions, Pauses } from '../../../platform/concurrency/turns.ts'
import { Refusal } from '../../../platform/errors.ts'
import { REFERENCE_KINDS, type ReferenceKind } from '../../../tables/reference-kinds.ts'
import { manyRows } from '../../database/many-rows.ts'
import type { Reader } from '../../database/transaction.ts'
import { cciSchema, isDeprecated, type Cci } from './items.ts'

/** One version of a list that was imported. */
export interface ReferenceSource {
  readonly id: number
  readonly kind: ReferenceKind
  readonly title: string
  readonly version: string
  readonly published: string | null
  readonly digest: string
  readonly fileName: string
  readonly itemCount: number
  readonly importedAt: string
}

/** All versions of all lists, the newest of each list first. */
export async function listSources(reader: Reader): Promise<readonly ReferenceSource[]> {
  const rows = await reader.selectFrom('reference_sources').selectAll().orderBy('kind').execute()
  return rows
    .sort((a, b) => Number(a.kind > b.kind) - Number(a.kind < b.kind) || compareSources(b, a) || b.id - a.id)
    .map(({ file_name: fileName, item_count: itemCount, imported_at: importedAt, ...row }) => {
      return { ...row, fileName, itemCount, importedAt }
    })
}

/**
 * Lists the versions for look-ups and the search, by kind and title: the newest of each list, where each domain of
 * ATT&CK is a list of its own. For CWE all versions, newest first, because the file of a view lacks most entries.
 */
export async function usedSources(reader: Reader): Promise<readonly ReferenceSource[]> {
  const used = new Map<string, ReferenceSource[]>()
  for (const source of await listSources(reader)) {
    const list = source.kind === 'attack' ? source.title : source.kind
    if (source.kind === 'cwe' || !used.has(list)) append(used, list, source)
  }
  return [...used].sort(([a], [b]) => Number(a > b) - Number(a < b)).flatMap(([, sources]) => sources)
}

/** Compares ATT&CK and CWE by date: some bundles have no version but the date, and a CSV of CWE has neither. */
function compareSources(a: ReferenceSourceRow, b: ReferenceSourceRow): number {
  const isByDay = a.kind === 'attack' || a.kind === 'cwe'
  const days = isByDay ? compareVersions(a.published ?? '', b.published ?? '') : 0
  return days || compareVersions(a.version, b.version)
}

type ReferenceSourceRow = Pick<ReferenceSource, 'kind' | 'version' | 'published'>

/** Compares versions by their numbers: `2016-06-27` is older than `2024-11-05`, and `5.1.1` than `5.2`. */
export function compareVersions(a: string, b: string): number {
  const numbers = [a, b].map((version) => (version.match(/\d+/g) ?? []).map(Number))
  const [first = [], second = []] = numbers
  for (let index = 0; index < Math.max(first.length, second.length); index += 1) {
    const difference = (first[index] ?? 0) - (second[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** The versions of a list, the newest first. */
export async function listVersions(reader: Reader, kind: ReferenceKind): Promise<readonly ReferenceSource[]> {
  return (await listSources(reader)).filter((source) => source.kind === kind)
}

/**
 * Finds a version of a list, by default the newest. Refuses `reference_data_absent`, and `not_found` for an unknown
 * version.
 */
export async function requireSource(
  reader: Reader,
  kind: ReferenceKind,
  version: string | undefined,
): Promise<ReferenceSource> {
  const sources = await listVersions(reader, kind)
  if (sources.length === 0) throw absentRefusal(kind)
  const match = sources.find((source) => version === undefined || source.version === version)
  if (match !== undefined) return match
  const versions = sources.map((source) => source.version).join(', ')
  throw new Refusal(
    'not_found',
    `There is no version ${version ?? ''} of the ${REFERENCE_KINDS[kind].name}. There is: ${versions}.`,
  )
}

/** The refusal if no version of a list is loaded. */
export function absentRefusal(kind: ReferenceKind): Refusal {
  const { name, file } = REFERENCE_KINDS[kind]
  const command = `npm run import -- ${file}`
  return new Refusal('reference_data_absent', `The ${name} is not loaded. An operator loads it: ${command}`)
}

/** Finds the JSON of an item; null if the list does not have it. */
export async function findDocument(reader: Reader, { id }: ReferenceSource, item: string): Promise<unknown> {
  const row = await reader
    .selectFrom('reference_items')
    .select('document')
    .where('source_id', '=', id)
    .where('item_id', '=', item)
    .executeTakeFirst()
  return row === undefined ? null : JSON.parse(row.document)
}

/** Finds the JSON of an item in the first version that has it; null if none has. */
export async function findFirstDocument(
  reader: Reader,
  sources: readonly ReferenceSource[],
  item: string,
): Promise<{ readonly source: ReferenceSource; readonly document: unknown } | null> {
  for (const source of sources) {
    const document = await findDocument(reader, source, item)
    if (document !== null) return { source, document }
  }
  return null
}

/** The ids of the items of some versions, each once, in the order of the lists. */
export async function findItemIds(
  reader: Reader,
  sources: readonly Pick<ReferenceSource, 'id'>[],
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>()
  for (const { id } of sources) {
    const rows = await reader
      .selectFrom('reference_items')
      .select('item_id')
      .where('source_id', '=', id)
      .orderBy('position')
      .withPlugin(manyRows)
      .execute()
    for (const { item_id } of rows) ids.add(item_id)
  }
  return ids
}

interface NamedCci {
  /** As the caller writes it. */
  readonly name: string
  /** Null if it is not the name of a CCI. */
  readonly id: string | null
}

/** Finds a CCI; refuses (`not_found`) one that the list does not have. */
export async function requireCci(reader: Reader, source: ReferenceSource, { name, id }: NamedCci): Promise<Cci> {
  const document = id === null ? null : await findDocument(reader, source, id)
  if (document !== null) return cciSchema.parse(document)
  throw new Refusal('not_found', `The ${REFERENCE_KINDS[source.kind].name} ${source.version} has no ${id ?? name}.`)
}

/** Number of items that are read at once: an item of ATT&CK has up to 400 kB, a CCI half a kilobyte. */
const BATCH_SIZE = { cci_list: 500, sp800_53: 50, attack: 10, cwe: 50 } as const satisfies Record<ReferenceKind, number>

/** All CCIs of a list in document order. */
export async function listCcis(reader: Reader, source: ReferenceSource): Promise<readonly Cci[]> {
  const ccis: Cci[] = []
  for await (const document of eachDocument(reader, source)) ccis.push(cciSchema.parse(document))
  return ccis
}

/** Yields the items of a list in document order. Other requests run in between. */
export async function* eachDocument(reader: Reader, { id, kind, itemCount }: ReferenceSource): AsyncGenerator {
  const pauses = new Pauses()
  for (let from = 0; from < itemCount; from += BATCH_SIZE[kind]) {
    const rows = await reader
      .selectFrom('reference_items')
      .select('document')
      .where('source_id', '=', id)
      .where('position', '>=', from)
      .where('position', '<', from + BATCH_SIZE[kind])
      .orderBy('position')
      .withPlugin(manyRows)
      .execute()
    for (const { document } of rows) {
      yield JSON.parse(document)
      await pauses.rest()
    }
  }
}

/** Finds CCIs of a list, by id; unknown ones are left out. */
export async function findCcis(
  reader: Reader,
  { id: source }: Pick<ReferenceSource, 'id'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Cci>> {
  const ccis = new Map<string, Cci>()
  const pauses = new Pauses()
  for await (const portion of inPortions(ids, BATCH_SIZE.cci_list)) {
    const rows = await reader
      .selectFrom('reference_items')
      .select('document')
      .where('source_id', '=', source)
      .where('item_id', 'in', portion)
      .withPlugin(manyRows)
      .execute()
    for (const { document } of rows) {
      const cci = cciSchema.parse(JSON.parse(document))
      ccis.set(cci.id, cci)
      await pauses.rest()
    }
  }
  return ccis
}

type CciOfControl = Pick<Cci, 'id' | 'definition' | 'types' | 'status'> & {
  readonly deprecated: boolean
  readonly revisions: readonly number[]
}

/** The CCIs of a list that refer to a control, by id. */
export async function findCcisOf(
  reader: Reader,
  { id: source }: ReferenceSource,
  control: string,
): Promise<readonly CciOfControl[]> {
  const rows = await reader
    .selectFrom('reference_controls as place')
    .innerJoin('reference_items as item', 'item.id', 'place.item_id')
    .select(['item.document', 'place.revision'])
    .where('place.control', '=', control)
    .where('item.source_id', '=', source)
    .orderBy('item.item_id')
    .orderBy('place.revision')
    .execute()
  const revisions = new Map<string, number[]>()
  for (const { document, revision } of rows) append(revisions, document, revision)
  return [...revisions].map(([document, numbers]) => {
    const cci = cciSchema.parse(JSON.parse(document))
    const { id, definition, types, status } = cci
    return { id, definition, types, status, deprecated: isDeprecated(cci), revisions: numbers }
  })
}
