/** The time that a caller waits for a thread. */
export class WaitLimit {
  readonly #answerMs: number
  readonly #wholeMs: number
  #spentMs = 0

  /** Limits for one answer and for all of them; the time that the caller needs between them does not count. */
  constructor({ answerMs, wholeMs = Infinity }: { answerMs: number; wholeMs?: number }) {
    this.#answerMs = answerMs
    this.#wholeMs = wholeMs
  }

  /** Time that is left for the next answer. */
  get leftMs(): number {
    return Math.max(0, Math.min(this.#answerMs, this.#wholeMs - this.#spentMs))
  }

  /** The limit that the next answer exceeds if it does not come in time. */
  get limitMs(): number {
    return this.#spentMs + this.#answerMs < this.#wholeMs ? this.#answerMs : this.#wholeMs
  }

  /** Calls `missed` at the limit, unless the caller has called the returned function before. */
  wait(missed: () => void): () => void {
    const begun = performance.now()
    let isMet = false
    const timer = setTimeout(() => {
      // If this thread was busy, an answer that came in time may not have been read yet.
      setImmediate(() => {
        if (!isMet) missed()
      })
    }, this.leftMs).unref()
    return () => {
      isMet = true
      clearTimeout(timer)
      this.#spentMs += performance.now() - begun
    }
  }
}
