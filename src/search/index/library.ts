import type { RecordOwner } from '../../contracts/search-feed.ts'
import type { OntologyIndex, OntologyRecord } from '../knowledge/knowledge.ts'
import { hitsOf, liveOf, type Hits } from './hits.ts'
import { recordOf } from './keys.ts'
import type { RecordIndex, IndexPart } from './record-index.ts'
import { postingsOf } from './segment.ts'

/** Records in parts. */
type Parts = Pick<RecordIndex, 'parts'>

/** Before a word of a title as it is written, in lower case. No query has it. */
export const SPELT = '~'

/** Everything that can be found, on the thread of the search. */
export class Library {
  /** Rules and requirements of the catalogue, which everybody may read. */
  readonly catalogue: Parts
  /** Of the rules and components that people write those that the asker may read: of the others nothing is here. */
  readonly authored: Parts
  /** Records of the ontology; the number in a key is a place in `knowledge.records`. */
  readonly ontology: Parts
  readonly knowledge: OntologyIndex
  /** By `ownerNumber`. */
  readonly owners: ReadonlyMap<number, RecordOwner>

  constructor(
    parts: Pick<Library, 'catalogue' | 'authored' | 'ontology' | 'knowledge' | 'owners'>,
  ) {
    this.catalogue = parts.catalogue
    this.authored = parts.authored
    this.ontology = parts.ontology
    this.knowledge = parts.knowledge
    this.owners = parts.owners
  }

  /** What everybody may read: how common a word is, is counted here, so that nobody can tell what others write. */
  get open(): readonly IndexPart[] {
    return [...this.catalogue.parts, ...this.ontology.parts]
  }

  /** What the asker may read. */
  get all(): readonly IndexPart[] {
    return [...this.open, ...this.authored.parts]
  }

  get guidance(): readonly IndexPart[] {
    return [...this.catalogue.parts, ...this.authored.parts]
  }

  /** Records that everybody may read. */
  get size(): number {
    return this.open.reduce((sum, { live }) => sum + live, 0)
  }

  /** In how many records a word is, of those that everybody may read. */
  count(word: string): number {
    const phrase = { words: [word], prefix: false }
    return this.open.reduce((sum, part) => sum + liveIn(part, hitsOf(part.segment, phrase)), 0)
  }

  /** Words in titles and names that everybody may read, as they are written, and how common each is. */
  *spellings(): Generator<readonly [string, number]> {
    yield* this.knowledge.spellings
    for (const { segment, gone } of this.catalogue.parts) {
      const { words } = segment
      for (let word = words.firstNotBelow(SPELT); word < words.length; word += 1) {
        const spelt = words.at(word)
        if (!spelt.startsWith(SPELT)) break
        const count = liveOf(postingsOf(segment, word).records, gone)
        if (count > 0) yield [spelt.slice(1), count]
      }
    }
  }

  /** Null for a record of guidance. */
  document(key: number): OntologyRecord | null {
    const { kind, id } = recordOf(key)
    const record = this.knowledge.records[id]
    return record?.kind === kind ? record : null
  }
}

/** How many records of a part have what was looked for; most parts have lost none. */
export function liveIn({ live, gone }: IndexPart, { records }: Hits): number {
  return live === gone.length ? records.length : liveOf(records, gone)
}

/** As records have it in the index. */
export function ownerNumber({ of, id }: Pick<RecordOwner, 'of' | 'id'>): number {
  return 2 * id + (of === 'component' ? 1 : 0)
}

/** The same parts, in which everything is gone that belongs to no component of these. */
export function readableParts(
  { parts }: Parts,
  components: ReadonlySet<number> | 'all',
): readonly IndexPart[] {
  if (components === 'all') return parts
  const owners = new Set(Array.from(components, (id) => ownerNumber({ of: 'component', id })))
  return parts.map(({ segment, gone }) => {
    const hidden = gone.map((isGone, record) =>
      isGone === 1 || !owners.has(segment.owners[record] ?? 0) ? 1 : 0,
    )
    return { segment, gone: hidden, live: hidden.reduce((live, isGone) => live + 1 - isGone, 0) }
  })
}
