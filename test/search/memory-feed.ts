import type { GuidanceMatch, RecordText } from '../../src/contracts/guidance-records.ts'
import type {
  FeedChanges,
  FeedPosition,
  FeedRecord,
  RecordKey,
  RecordOwner,
  ReferenceRecord,
  SearchFeed,
} from '../../src/contracts/search-feed.ts'

/** A record of guidance with its long texts, and who may see it; without: everybody. */
export interface MemoryRecord {
  readonly match: GuidanceMatch
  readonly texts: readonly RecordText[]
  readonly readers?: readonly string[]
}

/** Guidance without a database. */
export class MemoryFeed implements SearchFeed {
  /** How often was asked for what there is. */
  asked = 0
  readonly #records = new Map<string, MemoryRecord>()
  #changed: RecordKey[] = []
  #mark = 'here'
  /** Records of reference data. */
  reference: readonly ReferenceRecord[] = []

  constructor(records: readonly MemoryRecord[]) {
    for (const record of records) this.put(record)
  }

  put(record: MemoryRecord): void {
    const { kind, recordId } = record.match
    this.#records.set(nameOf({ kind, id: recordId }), record)
    this.#changed.push({ kind, id: recordId })
  }

  remove(key: RecordKey): void {
    this.#records.delete(nameOf(key))
    this.#changed.push(key)
  }

  /** As after a restore: positions from before are not known any more. */
  becomeAnother(records: readonly MemoryRecord[]): void {
    this.#mark = 'elsewhere'
    this.#records.clear()
    this.#changed = []
    for (const record of records) this.put(record)
  }

  /** Numbers of the components that a reader may read. */
  readable(reader: string | null): readonly number[] {
    const records = [...this.#records.values()].filter(
      ({ readers }) => reader !== null && readers?.includes(reader) === true,
    )
    return records.map(({ match }) => ownerOf(match).id)
  }

  changes(after: FeedPosition | null): Promise<FeedChanges | null> {
    this.asked += 1
    if (after !== null && after.mark !== this.#mark) return Promise.resolve(null)
    const position = { sequence: this.#changed.length, mark: this.#mark }
    const changed = this.#changed.slice(after?.sequence ?? 0)
    const isAuthored = ({ kind }: RecordKey): boolean => kind === 'authored-rule' || kind === 'component'
    const records = changed.filter(isAuthored)
    const isCatalogue = changed.length > records.length
    const benchmarks = isCatalogue ? [...new Set(this.#matches().map(({ benchmark }) => benchmark?.id ?? 0))] : []
    return Promise.resolve({ position, records, benchmarks: benchmarks.filter((id) => id > 0), isMore: false })
  }

  records(keys: readonly RecordKey[]): Promise<readonly FeedRecord[]> {
    return Promise.resolve(this.#of(keys).map(feedRecord))
  }

  rulesOf(benchmark: number): Promise<readonly number[]> {
    const rules = this.#matches().filter((match) => match.benchmark?.id === benchmark)
    return Promise.resolve(rules.map(({ recordId }) => recordId))
  }

  owners(): Promise<readonly RecordOwner[]> {
    const owners = this.#matches().map(ownerOf)
    return Promise.resolve([...new Map(owners.map((owner) => [`${owner.kind} ${owner.id}`, owner])).values()])
  }

  matches(keys: readonly RecordKey[]): Promise<readonly GuidanceMatch[]> {
    return Promise.resolve(this.#of(keys).map(({ match }) => match))
  }

  texts(keys: readonly RecordKey[]): Promise<ReadonlyMap<string, readonly RecordText[]>> {
    const entries = keys.map((key): readonly [string, readonly RecordText[]] => [
      nameOf(key),
      this.#records.get(nameOf(key))?.texts ?? [],
    ])
    return Promise.resolve(new Map(entries))
  }

  referenceVersion(): Promise<string> {
    return Promise.resolve(this.reference.map(({ id }) => id).join(' '))
  }

  async *referenceRecords(): AsyncGenerator<ReferenceRecord> {
    yield* await Promise.resolve(this.reference)
  }

  close(): Promise<void> {
    return Promise.resolve()
  }

  #of(keys: readonly RecordKey[]): readonly MemoryRecord[] {
    return keys.flatMap((key) => this.#records.get(nameOf(key)) ?? [])
  }

  #matches(): readonly GuidanceMatch[] {
    return [...this.#records.values()].map(({ match }) => match)
  }
}

function nameOf({ kind, id }: RecordKey): string {
  return `${kind} ${id}`
}

function ownerOf({ benchmark, component, recordId }: GuidanceMatch): RecordOwner {
  if (benchmark === null)
    return { kind: 'component', id: component?.id ?? 100 + recordId, title: '', names: [], benchmark: null }
  const { id, kind, title, version, benchmarkId } = benchmark
  // V0 is an older release of what there is.
  const isNewest = !version.startsWith('V0')
  const about = { kind, version, line: benchmarkId, isNewest, releaseDate: '2025-01-30' }
  return { kind: 'benchmark', id, title, names: [benchmarkId], benchmark: about }
}

function feedRecord({ match, texts }: MemoryRecord): FeedRecord {
  const { kind, recordId, title, names, ccis, severity, benchmark } = match
  const textsOf = (field: string): readonly string[] =>
    texts.filter((recordText) => recordText.field === field).map(({ text }) => text)
  return {
    kind,
    id: recordId,
    owner: ownerOf(match).id,
    severity,
    title,
    cites: ccis,
    names: names.flatMap((name) => [name, name.replace(/r\d+(?:_rule)?$/, '')]),
    fixes: textsOf('fixtext'),
    checks: textsOf('check'),
    texts: textsOf('vuln_discussion'),
    context: benchmark?.title ?? '',
  }
}
