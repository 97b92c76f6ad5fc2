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

  /** For the next answer. */
  get leftMs(): number {
    return Math.max(0, Math.min(this.#answerMs, this.#wholeMs - this.#spentMs))
  }

  /** The limit that the next answer exceeds if it does not come in time. */
  get limitMs(): number {
    return this.#spentMs + this.#answerMs < this.#wholeMs ? this.#answerMs : this.#wholeMs
  }

  /** Counts until the answer is there, which the caller says by calling what this returns. */
  wait(missed: () => void): () => void {
    const begun = performance.now()
    let isMet = false
    const timer = setTimeout(() => {
      // When this thread was busy for long, what was done in time has yet to be read.
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
