/** Computes a value once for all simultaneous requests for its key. Values are not cached. */
export class SharedWork<T> {
  readonly #running = new Map<string, Promise<T>>()

  /** Number of running computations. */
  get size(): number {
    return this.#running.size
  }

  /** Joins the running computation for the key, or starts one. */
  async run(key: string, make: () => Promise<T>): Promise<T> {
    const running = this.#running.get(key)
    if (running !== undefined) return running
    const work = make()
    this.#running.set(key, work)
    try {
      return await work
    } finally {
      this.#running.delete(key)
    }
  }

  /** Resolves when no computation is running, including those that were started meanwhile. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running.values())
  }
}
