import { backoffMs } from '../../platform/concurrency/backoff.ts'

/** In milliseconds. */
const BACKOFF = { firstMs: 1000, longestMs: 60_000 }
/** After this many failures in a row, requests fail immediately. */
const MAX_FAILURES = 3

/**
 * Stops requests to another service that fails: after three failures in a row for a second, and after each further one
 * twice as long, at most a minute. Then one request tries again.
 */
export class CircuitBreaker {
  readonly #now: () => number
  #failures = 0
  #notBefore = 0

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Milliseconds until the next request is allowed; 0: it is allowed now. */
  get waitMs(): number {
    return this.isOpen ? Math.max(0, this.#notBefore - this.#now()) : 0
  }

  /** Whether the service has failed so often that it counts as away. */
  get isOpen(): boolean {
    return this.#failures >= MAX_FAILURES
  }

  succeeded(): void {
    this.#failures = 0
  }

  failed(): void {
    this.#failures += 1
    this.#notBefore = this.#now() + backoffMs(this.#failures + 1 - MAX_FAILURES, BACKOFF)
  }

  /** Stops other requests until this one has been answered, or for a second. */
  beginAttempt(): void {
    if (this.isOpen) this.#notBefore = this.#now() + BACKOFF.firstMs
  }
}
