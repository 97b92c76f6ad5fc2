import { LRUCache } from 'lru-cache'
import type { RecordOwner } from '../../contracts/search-feed.ts'
import { getOrMake } from '../../platform/get-or-make.ts'
import type { OntologyIndex } from '../knowledge/ontology-index.ts'
import type { OntologyRecord } from '../knowledge/ontology-records.ts'
import { writtenWord, type WrittenWord, type WrittenWords } from '../knowledge/written-words.ts'
import { hitsOf, countLive } from './hits.ts'
import { recordOf } from './keys.ts'
import type { IndexPart, RecordIndex, RecordLocation } from './record-index.ts'
import { postingsOf, type Segment, type Hits } from './segment.ts'

/** Records in parts. */
type IndexParts = Pick<RecordIndex, 'parts' | 'placeOf'>

/** Prefix of index entries for the written (not stemmed) words of titles. No word of a query begins with it. */
export const SPELLING_PREFIX = '~'

/** Everything that the caller can find: the catalogue, readable components and the ontology. */
export class Library {
  /** Rules and requirements of the catalogue, which everybody may read. */
  readonly catalogue: IndexParts
  /** The rules and components that the caller may read; others are left out. */
  readonly authored: IndexParts
  /** Records of the ontology; the number in a key is a place in `knowledge.records`. */
  readonly ontology: IndexParts
  readonly knowledge: OntologyIndex
  /** By `ownerNumber`. */
  readonly owners: ReadonlyMap<number, RecordOwner>
  /** Public parts. Word frequencies are counted only here, so that nobody can infer what others write. */
  readonly open: readonly IndexPart[]
  /** Parts that the caller may read. */
  readonly all: readonly IndexPart[]
  readonly guidance: readonly IndexPart[]
  /** Records that everybody may read. */
  readonly size: number

  constructor(parts: Pick<Library, 'catalogue' | 'authored' | 'ontology' | 'knowledge' | 'owners'>) {
    this.catalogue = parts.catalogue
    this.authored = parts.authored
    this.ontology = parts.ontology
    this.knowledge = parts.knowledge
    this.owners = parts.owners
    this.open = [...this.catalogue.parts, ...this.ontology.parts]
    this.all = [...this.open, ...this.authored.parts]
    this.guidance = [...this.catalogue.parts, ...this.authored.parts]
    this.size = this.open.reduce((sum, { live }) => sum + live, 0)
  }

  /** Null if the caller cannot find such a record. */
  placeOf(key: number): RecordLocation | null {
    return this.catalogue.placeOf(key) ?? this.ontology.placeOf(key) ?? this.authored.placeOf(key)
  }

  /** Counts the public records that have a word, or several words in this order. */
  count(...words: readonly string[]): number {
    const phrase = { words, prefix: false }
    return this.open.reduce((sum, part) => sum + countLiveHits(part, hitsOf(part.segment, phrase)), 0)
  }

  /** Words in titles and names that everybody may read. */
  get spellings(): readonly WrittenWords[] {
    return [
      this.knowledge.writtenWords,
      ...this.catalogue.parts.map(({ segment, deleted }) => writtenWordsIn(segment, deleted)),
    ]
  }

  /** Null for a record of guidance. */
  document(key: number): OntologyRecord | null {
    const { kind, id } = recordOf(key)
    const record = this.knowledge.records[id]
    return record?.kind === kind ? record : null
  }
}

/** Counts the hits that were not removed. Most parts have no removed records. */
export function countLiveHits({ live, deleted }: IndexPart, { records }: Hits): number {
  return live === deleted.length ? records.length : countLive(records, deleted)
}

/** The number of an owner in the index. */
export function ownerNumber({ kind, id }: Pick<RecordOwner, 'kind' | 'id'>): number {
  return 2 * id + (kind === 'component' ? 1 : 0)
}

const writtenWords = new WeakMap<Segment, readonly WrittenWord[]>()

function writtenWordsIn(segment: Segment, deleted: Uint8Array): WrittenWords {
  const words = getOrMake(writtenWords, segment, () => readWrittenWords(segment))
  return { words, countOf: (index) => countLive(postingsOf(segment, index).records, deleted) }
}

function readWrittenWords({ words }: Segment): readonly WrittenWord[] {
  const writtenWords: WrittenWord[] = []
  for (let index = words.firstNotBelow(SPELLING_PREFIX); index < words.length; index += 1) {
    const word = words.at(index)
    if (!word.startsWith(SPELLING_PREFIX)) break
    writtenWords.push(writtenWord(word.slice(1), index))
  }
  return writtenWords
}

/** Leaves out the records of components that the caller may not read. */
export function readableParts(index: RecordIndex, components: ReadonlySet<number> | 'all'): IndexParts {
  if (components === 'all') return index
  if (components.size === 0) return NO_PARTS
  const parts = index.parts.map((part) => readablePart(part, components))
  return {
    parts,
    placeOf: (key) => {
      const location = index.placeOf(key)
      const part = parts.find(({ segment }) => segment === location?.part.segment)
      if (location === null || part === undefined || part.deleted[location.record] === 1) return null
      return { part, record: location.record }
    },
  }
}

/** The readable records of a part, with the number of records that it had when this was computed. */
interface ReadablePart {
  readonly live: number
  readonly part: IndexPart
}

/** Cached readers of each part: a caller who searches once usually searches again. */
const MAX_READERS = 16
const readable = new WeakMap<IndexPart, LRUCache<string, ReadablePart>>()

/** Stays the same object until a record of the part is removed, so that caches by part stay valid. */
function readablePart(part: IndexPart, components: ReadonlySet<number>): IndexPart {
  const readers = getOrMake(readable, part, () => new LRUCache({ max: MAX_READERS }))
  const name = [...components].sort((a, b) => a - b).join(' ')
  const cached = readers.get(name)
  if (cached?.live === part.live) return cached.part
  const { live, segment, deleted } = part
  const owners = new Set(Array.from(components, (id) => ownerNumber({ kind: 'component', id })))
  const hidden = deleted.map((isDeleted, record) =>
    isDeleted === 1 || !owners.has(segment.owners[record] ?? 0) ? 1 : 0,
  )
  const slice = { segment, deleted: hidden, live: hidden.reduce((sum, isDeleted) => sum + 1 - isDeleted, 0) }
  readers.set(name, { live, part: slice })
  return slice
}

const NO_PARTS: IndexParts = { parts: [], placeOf: () => null }
