import { setTimeout as sleep } from 'node:timers/promises'
import type {
  GuidanceMatch,
  GuidanceSearchRequest,
  NumbersRequest,
  RecordNumbers,
  RecordText,
} from '../../contracts/guidance-records.ts'
import type { SearchAnswer } from '../../contracts/search-answer.ts'
import type { RecordKey, ReferenceRecord, SearchFeed } from '../../contracts/search-feed.ts'
import type { SearchRequest, Suggestions } from '../../contracts/search.ts'
import type { OntologyContent } from '../../contracts/sources.ts'
import { withinTime } from '../../platform/concurrency/within-time.ts'
import { WorkQueue } from '../../platform/concurrency/work-queue.ts'
import { Refusal } from '../../platform/errors.ts'
import { forgetWords } from '../../platform/words.ts'
import { matchGuidance, matchNumbers } from '../answers/match-guidance.ts'
import { suggest } from '../answers/suggest.ts'
import { answerSearch, type MissingCountermeasures } from '../answers/unified.ts'
import { keyOf } from '../index/keys.ts'
import { Library, readableParts } from '../index/library.ts'
import { RecordIndex } from '../index/record-index.ts'
import { indexedDocument } from '../index/records.ts'
import type { IndexedRecord } from '../index/segment-builder.ts'
import { indexOntology, type OntologyIndex } from '../knowledge/ontology-index.ts'
import type { OntologyRecord } from '../knowledge/ontology-records.ts'
import { nearNames } from '../query/near-names.ts'
import type { CountermeasuresByAttack } from '../ranking/relations.ts'
import { similaritiesTo } from '../ranking/similarity.ts'
import { IndexUpdater } from './index-updater.ts'
import type { SearchData } from './protocol.ts'
import { RecordCache } from './record-cache.ts'
import { emptyIndexes, readSavedState, writeSavedState, type DescribedRecords } from './saved-state.ts'

interface QuestionDeadline {
  /** Until when the question may wait for what was committed before it, in milliseconds since 1970. */
  readonly waitUntil: number
}

export interface SearchCaller extends QuestionDeadline {
  /** Numbers of the components that the caller may read. */
  readonly readable: 'all' | readonly number[]
}

/** A release of the ontology and reference data, indexed. */
interface IndexedRecords {
  readonly described: DescribedRecords
  readonly knowledge: OntologyIndex
  readonly index: RecordIndex
}

/** Interval of checking for changes while nobody searches. */
const FOLLOW_MS = 500
/** A query that has already waited for its whole time still waits this long, which is enough to read the change log. */
const MIN_WAIT_MS = 100
const RETRY_SECONDS = 2
/** Reference data that could not be read is tried again after this time. */
const REFERENCE_RETRY_MS = 5000
const NOTHING_DESCRIBED: DescribedRecords = { content: null, referenceVersion: '', reference: [] }

/**
 * Keeps the index up to date and answers queries. A query waits for changes until its `waitUntil`. After that it is
 * answered from the indexed records, if the answer can say so or need not be complete.
 */
export class Searcher {
  readonly #feed: SearchFeed
  readonly #data: SearchData
  readonly #updater: IndexUpdater
  readonly #cache: RecordCache
  /** The damage of the index file, after which all records were read again; null for none. */
  readonly damage: string | null
  /** The changes of the catalogue that the cached records include. */
  #cachedChanges = 0
  #records: IndexedRecords
  /** Changes of `#records`, which are made one at a time. */
  readonly #indexing = new WorkQueue()
  /** The state that was saved last. */
  #saved: string | null = null
  #isClosed = false

  private constructor(
    feed: SearchFeed,
    data: SearchData,
    parts: {
      readonly records: IndexedRecords
      readonly updater: IndexUpdater
      readonly damage: string | null
    },
  ) {
    this.damage = parts.damage
    this.#feed = feed
    this.#data = data
    this.#records = parts.records
    this.#updater = parts.updater
    this.#cache = new RecordCache(feed)
  }

  /** Resolves when everything in the database is indexed. */
  static async open(feed: SearchFeed, data: SearchData): Promise<Searcher> {
    const { saved, damage } = await readSavedState(data.dumpFile)
    const records = await indexRecords(saved?.described ?? NOTHING_DESCRIBED, data, saved?.ontology)
    const updater = new IndexUpdater(feed, saved?.indexes ?? emptyIndexes(), emptyIndexes)
    const searcher = new Searcher(feed, data, { records, updater, damage })
    await searcher.#catchUp()
    await searcher.#followReference()
    // The index may have been saved before all parts were merged.
    updater.indexes.catalogue.tidy()
    updater.indexes.authored.tidy()
    forgetWords()
    return searcher
  }

  /** Reads changes soon after they are committed, also while nobody searches. Ends with `close`. */
  async keepUp(): Promise<void> {
    while (!this.#isClosed) {
      // An error recurs with the next request, which reports it.
      await this.#catchUp().catch(() => undefined)
      const isFollowed = await this.#followReference().then(
        () => true,
        () => false,
      )
      await sleep(isFollowed ? FOLLOW_MS : REFERENCE_RETRY_MS, null, { ref: false })
    }
  }

  /** The digest of the release of the ontology that is indexed. */
  get release(): string | null {
    return this.#records.knowledge.release?.digest ?? null
  }

  /** Indexes another release. Meanwhile, queries are answered from the previous one. */
  async takeOntology(content: OntologyContent | null): Promise<void> {
    await this.#indexing.run(async () => {
      if ((content?.digest ?? null) === this.release) return
      this.#records = await indexRecords({ ...this.#records.described, content }, this.#data)
    })
  }

  /** Indexes changed reference data. Meanwhile, queries are answered from the previous version. */
  async #followReference(): Promise<void> {
    await this.#indexing.run(async () => {
      const { described } = this.#records
      const referenceVersion = await this.#feed.referenceVersion()
      if (referenceVersion === described.referenceVersion) return
      const reference: ReferenceRecord[] = []
      for await (const record of this.#feed.referenceRecords()) reference.push(record)
      this.#records = await indexRecords({ ...described, referenceVersion, reference }, this.#data)
    })
  }

  /** Returns the attacks whose countermeasures are missing, if the query names some and `defenses` is null. */
  async unified({
    request,
    defenses,
    ...caller
  }: SearchCaller & {
    readonly request: SearchRequest
    readonly defenses: CountermeasuresByAttack | null
  }): Promise<SearchAnswer | MissingCountermeasures> {
    const { library, behind } = await this.#library(caller)
    const answer = await answerSearch({ library, feed: this.#cache, request, defenses })
    return behind === 0 || 'defensesOf' in answer ? answer : { ...answer, index: { behind } }
  }

  async suggest({
    text,
    limit,
    ...caller
  }: SearchCaller & { readonly text: string; readonly limit: number }): Promise<Suggestions> {
    const { library } = await this.#library(caller)
    return suggest({ library, feed: this.#cache }, text, limit)
  }

  async match({
    question,
    ...caller
  }: SearchCaller & { readonly question: GuidanceSearchRequest }): Promise<readonly GuidanceMatch[]> {
    return this.#feed.matches(matchGuidance(await this.#wholeLibrary(caller), question))
  }

  async numbers({
    request,
    ...caller
  }: SearchCaller & { readonly request: NumbersRequest }): Promise<readonly RecordNumbers[]> {
    return matchNumbers(await this.#wholeLibrary(caller), request)
  }

  async texts(keys: readonly RecordKey[]): Promise<ReadonlyMap<string, readonly RecordText[]>> {
    return this.#feed.texts(keys)
  }

  /** See `Search.similarity`. */
  async similarity({
    text,
    iris,
    waitUntil,
  }: QuestionDeadline & { readonly text: string; readonly iris: readonly string[] }): Promise<Map<string, number>> {
    const { library } = await this.#library({ readable: [], waitUntil })
    const { records, byIri } = library.knowledge
    const keys = new Map<number, string>()
    for (const iri of iris) {
      const index = byIri.get(iri) ?? -1
      const record = records[index]
      if (record !== undefined) keys.set(keyOf(record.kind, index), iri)
    }
    const similarities = similaritiesTo(text, new Set(keys.keys()), library)
    return new Map(Array.from(keys, ([key, iri]) => [iri, similarities.get(key) ?? 0]))
  }

  /** See `Search.findSimilarNames`. */
  async similarNames({
    names,
    waitUntil,
  }: QuestionDeadline & { readonly names: readonly string[] }): Promise<readonly (readonly string[])[]> {
    const { library } = await this.#library({ readable: [], waitUntil })
    const similar: (readonly string[])[] = []
    for (const name of names) similar.push(await nearNames({ library, feed: this.#cache }, name))
    return similar
  }

  /** For the next start. */
  async save(): Promise<void> {
    const { dumpFile } = this.#data
    const { indexes } = this.#updater
    const parts = [indexes.catalogue, indexes.authored].map((index) => index.parts.length)
    const { described, index } = this.#records
    const state = JSON.stringify([indexes.position, this.release, described.referenceVersion, parts])
    if (dumpFile === null || state === this.#saved) return
    await writeSavedState(dumpFile, { indexes, described, ontology: index })
    this.#saved = state
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#feed.close()
  }

  /** Refuses if changes are missing, because a list cannot report it. */
  async #wholeLibrary(caller: SearchCaller): Promise<Library> {
    const { library, behind } = await this.#library(caller)
    if (behind > 0) throw notUpToDate()
    return library
  }

  /**
   * The part of the library that a caller may read, and the number of earlier changes that it does not include. Refuses
   * if the changes are not known in time.
   */
  async #library({ readable, waitUntil }: SearchCaller) {
    const waitMs = Math.max(MIN_WAIT_MS, waitUntil - Date.now())
    const caughtUp = this.#catchUp().then(() => 0)
    const behind = (await withinTime(caughtUp, waitMs, null)) ?? this.#updater.behind
    if (behind === null) throw notUpToDate()
    const { catalogueChanges } = this.#updater
    if (catalogueChanges !== this.#cachedChanges) this.#cache.clear()
    this.#cachedChanges = catalogueChanges
    const { knowledge, index } = this.#records
    const { catalogue, authored, owners } = this.#updater.indexes
    const components = readable === 'all' ? readable : new Set(readable)
    const readableAuthored = readableParts(authored, components)
    return {
      library: new Library({ catalogue, authored: readableAuthored, ontology: index, knowledge, owners }),
      behind,
    }
  }

  async #catchUp(): Promise<void> {
    const begun = Date.now()
    await this.#updater.catchUp()
    Atomics.store(this.#data.upToDateAt, 0, BigInt(begun))
  }
}

function notUpToDate(): Refusal {
  const message = 'The search is still reading the latest changes. Try again.'
  return new Refusal('search_not_ready', message, { retry_after: RETRY_SECONDS })
}

async function indexRecords(
  described: DescribedRecords,
  { controls, controlNames, abbreviations }: SearchData,
  saved?: RecordIndex,
): Promise<IndexedRecords> {
  const controlsOf = (cci: string): readonly string[] => {
    const control = controls.get(cci)
    return control === undefined ? [] : [control]
  }
  const searchKnowledge = { ccis: [...controls.keys()], controlsOf, controlNames, abbreviations }
  const knowledge = await indexOntology(described.content, described.reference, searchKnowledge)
  const index = saved ?? new RecordIndex()
  if (saved === undefined) await index.replaceInTurns(indexedDocuments(knowledge.records), [])
  return { described, knowledge, index }
}

function* indexedDocuments(records: readonly OntologyRecord[]): Generator<IndexedRecord> {
  for (const [index, record] of records.entries()) yield indexedDocument(record, index)
}
