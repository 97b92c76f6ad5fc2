import { LRUCache } from 'lru-cache'
import type { RecordOwner } from '../../contracts/search-feed.ts'
import type { OntologyIndex, OntologyRecord } from '../knowledge/knowledge.ts'
import { speltWord, type SpeltWord, type SpeltWords } from '../knowledge/spelt.ts'
import { hitsOf, liveOf, type Hits } from './hits.ts'
import { recordOf } from './keys.ts'
import type { IndexPart, RecordIndex, RecordLocation } from './record-index.ts'
import { postingsOf, type Segment } from './segment.ts'

/** Records in parts. */
type IndexParts = Pick<RecordIndex, 'parts' | 'placeOf'>

/** Before a word of a title as it is written, in lower case. No query has it. */
export const SPELT = '~'

/** Everything that can be found, on the thread of the search. */
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

  /** Null where the asker finds no such record. */
  placeOf(key: number): RecordLocation | null {
    return this.catalogue.placeOf(key) ?? this.ontology.placeOf(key) ?? this.authored.placeOf(key)
  }

  /** In how many records a word is, or several in their order, of those that everybody may read. */
  count(...words: readonly string[]): number {
    return countIn(this.open, words)
  }

  /** Counts records that the caller may read. */
  countForAsker(words: readonly string[]): number {
    return countIn(this.all, words)
  }

  /** Words in titles and names that everybody may read. */
  get spellings(): readonly SpeltWords[] {
    return [this.knowledge.spelt, ...this.catalogue.parts.map(({ segment, gone }) => speltIn(segment, gone))]
  }

  /** Null for a record of guidance. */
  document(key: number): OntologyRecord | null {
    const { kind, id } = recordOf(key)
    const record = this.knowledge.records[id]
    return record?.kind === kind ? record : null
  }
}

function countIn(parts: readonly IndexPart[], words: readonly string[]): number {
  const phrase = { words, prefix: false }
  return parts.reduce((sum, part) => sum + liveIn(part, hitsOf(part.segment, phrase)), 0)
}

/** How many records of a part have what was looked for; most parts have lost none. */
export function liveIn({ live, gone }: IndexPart, { records }: Hits): number {
  return live === gone.length ? records.length : liveOf(records, gone)
}

/** As records have it in the index. */
export function ownerNumber({ of, id }: Pick<RecordOwner, 'of' | 'id'>): number {
  return 2 * id + (of === 'component' ? 1 : 0)
}

const spelt = new WeakMap<Segment, readonly SpeltWord[]>()

/** Words as they are written. */
function speltIn(segment: Segment, gone: Uint8Array): SpeltWords {
  const words = spelt.get(segment) ?? readSpelt(segment)
  spelt.set(segment, words)
  return { words, countOf: (place) => liveOf(postingsOf(segment, place).records, gone) }
}

function readSpelt({ words }: Segment): readonly SpeltWord[] {
  const found: SpeltWord[] = []
  for (let place = words.firstNotBelow(SPELT); place < words.length; place += 1) {
    const word = words.at(place)
    if (!word.startsWith(SPELT)) break
    found.push(speltWord(word.slice(1), place))
  }
  return found
}

/** The records of an index without those of other components than these. */
export function readableParts(index: RecordIndex, components: ReadonlySet<number> | 'all'): IndexParts {
  if (components === 'all') return index
  if (components.size === 0) return NO_PARTS
  const parts = index.parts.map((part) => readablePart(part, components))
  return {
    parts,
    placeOf: (key) => {
      const place = index.placeOf(key)
      const part = parts.find(({ segment }) => segment === place?.part.segment)
      if (place === null || part === undefined || part.gone[place.record] === 1) return null
      return { part, record: place.record }
    },
  }
}

/** The readable records of a part, and the number of records that it had then. */
interface ReadablePart {
  readonly live: number
  readonly part: IndexPart
}

/** A caller who searches once usually searches again. */
const MOST_READERS = 16
const readable = new WeakMap<IndexPart, LRUCache<string, ReadablePart>>()

/** Stays the same object until a record of the part is removed, so that caches by part stay valid. */
function readablePart(part: IndexPart, components: ReadonlySet<number>): IndexPart {
  const known = readable.get(part) ?? new LRUCache<string, ReadablePart>({ max: MOST_READERS })
  readable.set(part, known)
  const name = [...components].sort((a, b) => a - b).join(' ')
  const there = known.get(name)
  if (there?.live === part.live) return there.part
  const { live, segment, gone } = part
  const owners = new Set(Array.from(components, (id) => ownerNumber({ of: 'component', id })))
  const hidden = gone.map((isGone, record) => (isGone === 1 || !owners.has(segment.owners[record] ?? 0) ? 1 : 0))
  const own = { segment, gone: hidden, live: hidden.reduce((sum, isGone) => sum + 1 - isGone, 0) }
  known.set(name, { live, part: own })
  return own
}

const NO_PARTS: IndexParts = { parts: [], placeOf: () => null }
