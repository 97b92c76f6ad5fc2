import Sqlite from 'libsql'
import { z } from 'zod'
import type { FeedRecord, ReferenceRecord } from '../../src/contracts/search-feed.ts'
import type { OntologyContent } from '../../src/contracts/sources.ts'

type PlainDocument = Pick<OntologyContent['documents'][number], 'label' | 'id' | 'name' | 'synonyms' | 'text'>

/** A plain index of words for comparison: SQLite's FTS5 with Porter's stems and bm25; any word of the query matches. */
export class PlainIndex {
  readonly #database = new Sqlite(':memory:')
  readonly #find: Sqlite.Statement
  #size = 0

  constructor() {
    this.#database.exec("create virtual table entries using fts5 (title, names, rest, tokenize = 'porter')")
    this.#find = this.#database.prepare(
      'select rowid as id from entries where entries match ? order by bm25(entries, 8, 10, 1), rowid limit ?',
    )
  }

  /** Returns the number of the record, counted from 0. */
  addRule({ title, names, cites, fixes, checks, texts, context }: FeedRecord): number {
    return this.#add(title, [...names, ...cites], [...fixes, ...checks, ...texts, context])
  }

  addDocument({ label, id, name, synonyms, text }: PlainDocument, described?: ReferenceRecord): number {
    const texts = described?.texts.map((recordText) => recordText.text) ?? []
    return this.#add(label, id === null ? [name] : [id, name], [...synonyms, text, ...texts])
  }

  /** Numbers, the best first. */
  find(query: string, limit: number): readonly number[] {
    const words = query.match(/[\p{L}\p{N}]+/gu) ?? []
    if (words.length === 0) return []
    const any = words.map((word) => `"${word}"`).join(' OR ')
    return rows.parse(this.#find.all(any, limit)).map(({ id }) => id)
  }

  close(): void {
    this.#database.close()
  }

  #add(title: string, names: readonly string[], texts: readonly string[]): number {
    const id = this.#size
    this.#size += 1
    this.#database
      .prepare('insert into entries (rowid, title, names, rest) values (?, ?, ?, ?)')
      .run(id, title, names.join(' '), texts.join('\n'))
    return id
  }
}

const rows = z.array(z.object({ id: z.number() }))
