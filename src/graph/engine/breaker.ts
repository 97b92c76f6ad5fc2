import { backoffMs } from '../../platform/concurrency/backoff.ts'

/** In milliseconds. */
const PAUSES = { firstMs: 1000, longestMs: 60_000 }
/** Failures in a row after which nobody is kept waiting. */
const MOST_FAILURES = 3

/**
 * Whether somebody else's service is worth asking: after three failures in a row not for a second, and after each
 * further one twice as long, at most a minute. When that is over, one question finds out.
 */
export class Breaker {
  readonly #now: () => number
  #failures = 0
  #notBefore = 0

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Milliseconds to wait until a question is let through; 0: it is now. */
  get waitMs(): number {
    return this.isOpen ? Math.max(0, this.#notBefore - this.#now()) : 0
  }

  /** Whether it has failed so often that it counts as away. */
  get isOpen(): boolean {
    return this.#failures >= MOST_FAILURES
  }

  succeeded(): void {
    this.#failures = 0
  }

  failed(): void {
    this.#failures += 1
    this.#notBefore = this.#now() + backoffMs(this.#failures + 1 - MOST_FAILURES, PAUSES)
  }

  /** Lets nobody else through until this question has been answered, or for a second. */
  tries(): void {
    if (this.isOpen) this.#notBefore = this.#now() + PAUSES.firstMs
  }
}
