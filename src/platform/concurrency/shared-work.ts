/** Makes a value once for all who ask for its key while it is being made. Made values are not kept. */
export class SharedWork<T> {
  readonly #running = new Map<string, Promise<T>>()

  /** Number of values that are being made. */
  get size(): number {
    return this.#running.size
  }

  /** Joins what is being made for the key, or starts to make it. */
  async run(key: string, make: () => Promise<T>): Promise<T> {
    const running = this.#running.get(key)
    if (running !== undefined) return running
    const made = make()
    this.#running.set(key, made)
    try {
      return await made
    } finally {
      this.#running.delete(key)
    }
  }

  /** Resolves once nothing is being made, including what was started meanwhile. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running.values())
  }
}
