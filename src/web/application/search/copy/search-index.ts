import { fetchAnswer } from '../../client/fetch-answer.ts'
import { addressOf } from '../../client/site.ts'
import { findIn, readIndex, type IndexedRecord, type IndexedRow } from './find.ts'

/** A suggestion of the search box. */
export interface Suggestion {
  readonly text: string
  readonly kind: string
  readonly id: string | null
  readonly path: string | null
}

let index: Promise<readonly IndexedRecord[]> | null = null

/** The index of all records, which is loaded with the first search. */
function loadIndex(): Promise<readonly IndexedRecord[]> {
  index ??= fetchAnswer(new Request(addressOf('/search-index.json')))
    .then((answer) => answer.json())
    .then((rows: readonly IndexedRow[]) => readIndex(rows))
  index.catch(() => {
    index = null
  })
  return index
}

export async function findInIndex(question: string): Promise<readonly IndexedRecord[]> {
  return findIn(await loadIndex(), question)
}

export async function suggestFromIndex(question: string, most: number): Promise<readonly Suggestion[]> {
  const records = await findInIndex(question)
  return records.slice(0, most).map((record) => {
    const { label, kind, id } = record
    return { text: label, kind, id: id === '' ? null : id, path: recordPath(record) }
  })
}

const FOLDERS: Readonly<Record<string, string>> = {
  technique: 'technique',
  artifact: 'dao/artifact',
  'offensive-technique': 'offensive-technique/attack',
  weakness: 'weakness/cwe',
}

/** The path of the record in the API, as in the answer of a service. */
export function recordPath({ kind, name, id }: IndexedRecord): string {
  // Only tactics of attackers have identifiers.
  const folder = kind === 'tactic' && id === '' ? kind : (FOLDERS[kind] ?? 'ontology/describe')
  const isByIdentifier = kind === 'offensive-technique' || kind === 'weakness'
  return `/api/${folder}/${encodeURIComponent(isByIdentifier ? id : name)}.json`
}
