import { describe, expect, it, vi } from 'vitest'
import type { FeedChanges, FeedPosition, FeedRecord, RecordKey } from '../../../src/contracts/search-feed.ts'
import { keyOf } from '../../../src/search/index/keys.ts'
import { IndexUpdater } from '../../../src/search/thread/index-updater.ts'
import { emptyIndexes } from '../../../src/search/thread/saved-state.ts'
import { ask, openSearcher } from '../in-memory.ts'
import { MemoryFeed, type MemoryRecord } from '../memory-feed.ts'
import { ruleOf } from '../small.ts'

function authored(id: number, title = `Samovar ${id}`): MemoryRecord {
  return ruleOf(id, title, { kind: 'authored-rule', benchmark: null, readers: ['vera'] })
}

/** A feed that reads no records while its gate is closed. */
class GatedFeed extends MemoryFeed {
  readonly read: number[] = []
  #gate = Promise.resolve()
  #open: () => void = () => undefined

  /** The records that are being read now. */
  waiting = 0

  closeGate(): void {
    this.#gate = new Promise((resolve) => {
      this.#open = resolve
    })
  }

  openGate(): void {
    this.#open()
  }

  override async records(keys: readonly RecordKey[]): Promise<readonly FeedRecord[]> {
    const records = await super.records(keys)
    this.read.push(...keys.map(({ id }) => id))
    this.waiting += 1
    await this.#gate
    this.waiting -= 1
    return records
  }

  async isWaiting(): Promise<void> {
    await vi.waitFor(() => {
      expect(this.waiting).toBe(1)
    })
  }
}

/** A log that is told in portions, as the database tells it. */
class PortionedFeed extends GatedFeed {
  readonly #portions: readonly (readonly number[])[]

  constructor(portions: readonly (readonly number[])[]) {
    super([...new Set(portions.flat())].map((id) => authored(id)))
    this.#portions = portions
  }

  override async changes(after: FeedPosition | null): Promise<FeedChanges | null> {
    const { sequence } = after ?? { sequence: 0 }
    const ids = this.#portions[sequence] ?? []
    const position = { sequence: Math.min(sequence + 1, this.#portions.length), mark: 'here' }
    const records = ids.map((id): RecordKey => ({ kind: 'authored-rule', id }))
    return Promise.resolve({ position, records, benchmarks: [], isMore: position.sequence < this.#portions.length })
  }
}

function followerOf(feed: MemoryFeed): IndexUpdater {
  return new IndexUpdater(feed, emptyIndexes(), emptyIndexes)
}

function has(updater: IndexUpdater, id: number): boolean {
  return updater.indexes.authored.has(keyOf('authored-rule', id))
}

describe('Catching up with commits', () => {
  it('includes commits during an earlier catch-up', async () => {
    const feed = new GatedFeed([authored(1)])
    const updater = followerOf(feed)
    feed.closeGate()
    const first = updater.catchUp()
    await feed.isWaiting()
    feed.put(authored(2))
    const second = updater.catchUp()
    const third = updater.catchUp()
    feed.openGate()
    await first
    expect([1, 2].map((id) => has(updater, id))).toEqual([true, false])
    await Promise.race([second, third])
    expect(has(updater, 2)).toBe(true)
    await Promise.all([second, third])
  })

  it('includes commits during the catch-up that others waited for', async () => {
    const feed = new GatedFeed([authored(1)])
    const updater = followerOf(feed)
    feed.closeGate()
    const first = updater.catchUp()
    await feed.isWaiting()
    feed.put(authored(2))
    const second = updater.catchUp()
    feed.openGate()
    await first
    feed.closeGate()
    await feed.isWaiting()
    feed.put(authored(3))
    const third = updater.catchUp()
    feed.openGate()
    await second
    expect(has(updater, 3)).toBe(false)
    await third
    expect([1, 2, 3].map((id) => has(updater, id))).toEqual([true, true, true])
  })

  it('continues after a failure, also for later callers', async () => {
    const feed = new GatedFeed([authored(1)])
    const updater = followerOf(feed)
    const broken = vi.spyOn(feed, 'owners').mockRejectedValueOnce(new Error('no database'))
    const first = updater.catchUp()
    const second = updater.catchUp()
    await expect(first).rejects.toThrow('no database')
    await second
    expect(has(updater, 1)).toBe(true)
    broken.mockRestore()
  })

  it('reads a record once that has changed in several portions of the log', async () => {
    const feed = new PortionedFeed([[1, 2], [2, 3], [1, 4], [5]])
    const updater = followerOf(feed)
    await updater.catchUp()
    expect(feed.read.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5])
    expect(updater.indexes.position?.sequence).toBe(4)
    expect([1, 2, 3, 4, 5].every((id) => has(updater, id))).toBe(true)
  })

  it('does not block other questions, however much was written', async () => {
    const long = 'Kettles must not boil over before somebody has looked at them. '.repeat(20)
    const feed = new MemoryFeed(Array.from({ length: 3000 }, (_, id) => authored(id + 1, long)))
    const updater = followerOf(feed)
    let turns = 0
    const others = setInterval(() => {
      turns += 1
    }, 1)
    await updater.catchUp()
    clearInterval(others)
    expect(turns).toBeGreaterThan(5)
    expect(updater.indexes.authored.size).toBe(3000)
  })
})

describe('A question during a long catch-up', () => {
  it('is answered as incomplete after its time, and completely once all is read', async () => {
    const feed = new GatedFeed([authored(1)])
    const library = await openSearcher(feed)
    feed.put(authored(2))
    feed.put(authored(3))
    feed.closeGate()
    for (const waitUntil of [0, Date.now() + 200]) {
      const answer = await ask(library, 'samovar', { reader: 'vera' }, waitUntil)
      expect([answer.results.length, answer.index]).toEqual([1, { behind: 2 }])
    }
    feed.openGate()
    const answer = await ask(library, 'samovar', { reader: 'vera' })
    expect([answer.results.length, answer.index]).toEqual([3, undefined])
  })

  it('is refused after its time, if its answer cannot say that it is incomplete', async () => {
    const feed = new GatedFeed([authored(1)])
    const { searcher } = await openSearcher(feed)
    feed.put(authored(2))
    feed.closeGate()
    const request = { kinds: ['authored-rule'], severity: null, benchmarks: null, limit: 10 } as const
    const required = [{ alternatives: [{ words: ['samovar'], prefix: true }] }]
    const question = { ...request, required, searchedField: 'anywhere' } as const
    await expect(searcher.match({ readable: feed.readable('vera'), waitUntil: 0, question })).rejects.toMatchObject({
      code: 'search_not_ready',
      members: { retry_after: 2 },
    })
    feed.openGate()
  })

  it('is refused during a rebuild, because old numbers may be other records', async () => {
    const feed = new GatedFeed([authored(1)])
    const library = await openSearcher(feed)
    vi.spyOn(feed, 'changes').mockResolvedValueOnce(null)
    feed.put(authored(2))
    feed.closeGate()
    await expect(ask(library, 'samovar', { reader: 'vera' }, 0)).rejects.toMatchObject({ code: 'search_not_ready' })
    feed.openGate()
    expect((await ask(library, 'samovar', { reader: 'vera' })).results).toHaveLength(2)
  })

  it('is answered after its time if nothing has changed', async () => {
    const feed = new GatedFeed([authored(1)])
    const { searcher } = await openSearcher(feed)
    const asked = { readable: feed.readable('vera'), waitUntil: 0, text: 'samov', limit: 10 }
    expect((await searcher.suggest(asked)).others).toHaveLength(1)
  })

  it('is answered with as many records as it asks for', async () => {
    const feed = new GatedFeed([authored(1), authored(2), authored(3)])
    const { searcher } = await openSearcher(feed)
    const required = [{ alternatives: [{ words: ['samovar'], prefix: true }] }]
    const scope = { kinds: ['authored-rule'], severity: null, benchmarks: null, limit: 2 } as const
    const question = { ...scope, required, searchedField: 'anywhere' } as const
    const waitUntil = Date.now() + 60_000
    expect(await searcher.match({ readable: feed.readable('vera'), waitUntil, question })).toHaveLength(2)
  })

  it('is not needed: commits are read without one', async () => {
    const feed = new GatedFeed([authored(1)])
    const library = await openSearcher(feed)
    const following = library.searcher.keepUp()
    feed.put(authored(2, 'Kettles hum'))
    await vi.waitFor(() => {
      expect(feed.read).toContain(2)
    })
    expect((await ask(library, 'kettles', { reader: 'vera' })).results).toHaveLength(1)
    await library.searcher.close()
    await following
  })
})
