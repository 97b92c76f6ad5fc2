import type { RecordKey, SearchFeed } from '../../contracts/search-feed.ts'
import type { SearchAnswer, SearchRequest, Suggestion } from '../../contracts/search.ts'
import type {
  GuidanceMatch,
  GuidanceQuestion,
  OntologyContent,
  RecordText,
} from '../../contracts/sources.ts'
import { inPortions } from '../../platform/turns.ts'
import { forgetWords } from '../../platform/words.ts'
import { matchGuidance } from '../answers/match.ts'
import { suggest } from '../answers/suggest.ts'
import { answerSearch, type Needs } from '../answers/unified.ts'
import { keyOf } from '../index/keys.ts'
import { Library, readableParts } from '../index/library.ts'
import { RecordIndex } from '../index/record-index.ts'
import { indexedDocument } from '../index/records.ts'
import { indexOntology, type OntologyIndex, type OntologyRecord } from '../knowledge/knowledge.ts'
import { nearNames } from '../question/near-names.ts'
import { likenessTo } from '../ranking/likeness.ts'
import type { Defenses } from '../ranking/named.ts'
import { Follower } from './follow.ts'
import { KnownRecords } from './known-records.ts'
import type { SearchData } from './protocol.ts'
import { emptyIndexes, readSaved, writeSaved } from './saved.ts'

/** Numbers of the components that somebody may read. */
type Readable = 'all' | readonly number[]

/** A release of the ontology, indexed. */
interface Described {
  readonly content: OntologyContent | null
  readonly knowledge: OntologyIndex
  readonly index: RecordIndex
}

/** The library, kept up to date, and what is asked of it. */
export class Searcher {
  readonly #feed: SearchFeed
  readonly #data: SearchData
  readonly #follower: Follower
  readonly #known: KnownRecords
  /** For which catalogue records are known. */
  #knownFor = 0
  #described: Described
  /** What was saved last. */
  #saved: string | null = null

  private constructor(
    feed: SearchFeed,
    data: SearchData,
    held: { readonly described: Described; readonly follower: Follower },
  ) {
    this.#feed = feed
    this.#data = data
    this.#described = held.described
    this.#follower = held.follower
    this.#known = new KnownRecords(feed)
  }

  /** Resolves when everything is there that the database has. */
  static async open(feed: SearchFeed, data: SearchData): Promise<Searcher> {
    const saved = await readSaved(data.dumpFile)
    const described = await describe(saved?.content ?? null, data, saved?.ontology)
    const follower = new Follower(feed, saved?.indexes ?? emptyIndexes(), emptyIndexes)
    const searcher = new Searcher(feed, data, { described, follower })
    await follower.catchUp()
    // It may have been saved before all was merged.
    follower.indexes.catalogue.tidy()
    follower.indexes.authored.tidy()
    forgetWords()
    return searcher
  }

  /** The digest of the release of the ontology that is indexed. */
  get release(): string | null {
    return this.#described.knowledge.release?.digest ?? null
  }

  /** Until another release is indexed, the one before answers. */
  async takeOntology(content: OntologyContent | null): Promise<void> {
    if ((content?.digest ?? null) !== this.release)
      this.#described = await describe(content, this.#data)
  }

  /** Tells what it needs where the query names an attack or a weakness, and `defenses` is null. */
  async unified(
    readable: Readable,
    request: SearchRequest,
    defenses: Defenses | null,
  ): Promise<SearchAnswer | Needs> {
    const library = await this.#library(readable)
    return answerSearch({ library, feed: this.#known, request, defenses })
  }

  async suggest(readable: Readable, text: string, limit: number): Promise<readonly Suggestion[]> {
    const library = await this.#library(readable)
    return suggest({ library, feed: this.#known }, text, limit)
  }

  async match(readable: Readable, question: GuidanceQuestion): Promise<readonly GuidanceMatch[]> {
    const library = await this.#library(readable)
    return this.#feed.matches(matchGuidance(library, question))
  }

  async texts(keys: readonly RecordKey[]): Promise<ReadonlyMap<string, readonly RecordText[]>> {
    return this.#feed.texts(keys)
  }

  /** See `Search.likeness`. */
  async likeness(text: string, iris: readonly string[]): Promise<Map<string, number>> {
    const library = await this.#library([])
    const { records, byIri } = library.knowledge
    const keys = new Map<number, string>()
    for (const iri of iris) {
      const place = byIri.get(iri) ?? -1
      const record = records[place]
      if (record !== undefined) keys.set(keyOf(record.kind, place), iri)
    }
    const found = likenessTo(text, new Set(keys.keys()), library)
    return new Map(Array.from(keys, ([key, iri]) => [iri, found.get(key) ?? 0]))
  }

  /** See `Search.nearNames`. */
  async nearNames(names: readonly string[]): Promise<readonly (readonly string[])[]> {
    const library = await this.#library([])
    const near: (readonly string[])[] = []
    for (const name of names) near.push(await nearNames({ library, feed: this.#known }, name))
    return near
  }

  /** For the next start. */
  async save(): Promise<void> {
    const { dumpFile } = this.#data
    const { indexes } = this.#follower
    const parts = [indexes.catalogue, indexes.authored].map((index) => index.parts.length)
    const state = JSON.stringify([indexes.position, this.release, parts])
    if (dumpFile === null || state === this.#saved) return
    const { content, index } = this.#described
    await writeSaved(dumpFile, { indexes, content, ontology: index })
    this.#saved = state
  }

  async close(): Promise<void> {
    await this.#feed.close()
  }

  /** Everything that was committed, as far as somebody may read it. */
  async #library(readable: Readable): Promise<Library> {
    await this.#follower.catchUp()
    const { catalogueChanges } = this.#follower
    if (catalogueChanges !== this.#knownFor) this.#known.forget()
    this.#knownFor = catalogueChanges
    const { knowledge, index } = this.#described
    const { catalogue, authored, owners } = this.#follower.indexes
    const components = readable === 'all' ? readable : new Set(readable)
    const own = readableParts(authored, components)
    return new Library({ catalogue, authored: own, ontology: index, knowledge, owners })
  }
}

async function describe(
  content: OntologyContent | null,
  { controls, controlNames, abbreviations }: SearchData,
  saved?: RecordIndex,
): Promise<Described> {
  const controlsOf = (cci: string): readonly string[] => {
    const control = controls.get(cci)
    return control === undefined ? [] : [control]
  }
  const known = { ccis: [...controls.keys()], controlsOf, controlNames, abbreviations }
  const knowledge = await indexOntology(content, known)
  const index = saved ?? new RecordIndex()
  if (saved === undefined) await indexRecords(knowledge.records, index)
  return { content, knowledge, index }
}

/** Records of the ontology that are indexed before others have their turn. */
const AT_ONCE = 200

async function indexRecords(records: readonly OntologyRecord[], index: RecordIndex): Promise<void> {
  let next = 0
  for await (const portion of inPortions(records, AT_ONCE)) {
    const from = next
    index.replace(
      portion.map((record, place) => indexedDocument(record, from + place)),
      [],
    )
    next += portion.length
  }
  await index.tidied()
}
