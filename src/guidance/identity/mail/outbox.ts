export interface OutboxOptions<T> {
  /** Limit of queued and running deliveries; further ones are refused. */
  readonly capacity: number
  /** Limit of simultaneous deliveries. */
  readonly width: number
  /** The delay before each further attempt, in milliseconds: as many attempts as entries, plus one. */
  readonly retryDelaysMs: readonly number[]
  readonly deliver: (item: T) => Promise<void>
  /** Whether another attempt may succeed. */
  readonly isPassing: (error: unknown) => boolean
  /** Called for each item that is abandoned. */
  readonly onLost: (item: T, error: unknown) => void
}

interface QueuedItem<T> {
  readonly item: T
  /** Number of failed attempts. */
  readonly failures: number
}

/**
 * A bounded queue in memory with retries. An item that waits for its next attempt does not delay others. If the
 * confirmation of a delivery is lost, the item is delivered twice.
 */
export class Outbox<T> {
  readonly #options: OutboxOptions<T>
  readonly #ready: QueuedItem<T>[] = []
  readonly #later = new Map<NodeJS.Timeout, QueuedItem<T>>()
  #underWay = 0
  #closed = false
  #whenIdle: (() => void)[] = []

  constructor(options: OutboxOptions<T>) {
    this.#options = options
  }

  get closed(): boolean {
    return this.#closed
  }

  /** Adds an item; false if the queue is full or closed. Delivery starts in a later turn of the event loop. */
  put(item: T): boolean {
    const pendingCount = this.#ready.length + this.#later.size + this.#underWay
    if (this.#closed || pendingCount >= this.#options.capacity) return false
    this.#ready.push({ item, failures: 0 })
    setImmediate(() => {
      this.#start()
    })
    return true
  }

  /**
   * Accepts no more items, and starts the last attempt for items that wait for one. Waits at most `graceMs` until all
   * are delivered or abandoned. Returns the items whose delivery never began.
   */
  async close(graceMs: number): Promise<readonly T[]> {
    this.#closed = true
    for (const [timer, job] of this.#later) {
      clearTimeout(timer)
      this.#ready.push(job)
    }
    this.#later.clear()
    this.#start()
    await this.idle(graceMs)
    return this.#ready.splice(0).map(({ item }) => item)
  }

  /** Resolves when no delivery is queued or running, at the latest after `atMostMs`. */
  async idle(atMostMs: number): Promise<void> {
    if (this.#isIdle()) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, atMostMs)
      this.#whenIdle.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  #start(): void {
    while (this.#underWay < this.#options.width) {
      const job = this.#ready.shift()
      if (job === undefined) return
      this.#underWay += 1
      void this.#work(job)
    }
  }

  async #work(job: QueuedItem<T>): Promise<void> {
    try {
      await this.#options.deliver(job.item)
    } catch (error) {
      this.#retryOrLose(job, error)
    }
    this.#underWay -= 1
    this.#start()
    if (this.#isIdle()) for (const resolve of this.#whenIdle.splice(0)) resolve()
  }

  #retryOrLose({ item, failures }: QueuedItem<T>, error: unknown): void {
    const delay = this.#options.retryDelaysMs[failures]
    if (this.#closed || delay === undefined || !this.#options.isPassing(error)) {
      this.#options.onLost(item, error)
      return
    }
    const timer = setTimeout(() => {
      const job = this.#later.get(timer)
      this.#later.delete(timer)
      if (job !== undefined) this.#ready.push(job)
      this.#start()
    }, delay)
    this.#later.set(timer, { item, failures: failures + 1 })
  }

  #isIdle(): boolean {
    return this.#ready.length === 0 && this.#underWay === 0
  }
}
