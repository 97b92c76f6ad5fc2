import { backoffMs } from '../platform/concurrency/backoff.ts'
import { messageOf } from '../platform/errors.ts'
import type { ReleaseFolder } from './release/folder.ts'

const BACKOFF = { firstMs: 2000, longestMs: 5 * 60_000 }

/**
 * Schedules attempts to open a release that failed: after 2 s, after each further failure twice as long, at most 5 min,
 * and at once when its files change.
 */
export class OpeningRetry {
  readonly #folder: ReleaseFolder
  readonly #version: string | undefined
  #failure: { readonly stamp: string; readonly message: string } | null = null
  /** Consecutive failures with the same files. */
  #failures = 0
  #notBefore = 0

  /** Without a version, applies to the active release, which may change. */
  constructor(folder: ReleaseFolder, version?: string) {
    this.#folder = folder
    this.#version = version
  }

  /** Whether the last attempt has failed. */
  get hasFailed(): boolean {
    return this.#failure !== null
  }

  async isWorthTrying(): Promise<boolean> {
    if (this.#failure === null || performance.now() >= this.#notBefore) return true
    return (await this.#folder.stamp(this.#version)) !== this.#failure.stamp
  }

  /** Counts a failure. `isNew` is false if the same files have just failed with the same message. */
  async recordFailure(error: unknown): Promise<{ readonly isNew: boolean; readonly retryInMs: number }> {
    const failure = { stamp: await this.#folder.stamp(this.#version), message: messageOf(error) }
    const sameFiles = failure.stamp === this.#failure?.stamp
    const isNew = !sameFiles || failure.message !== this.#failure?.message
    this.#failure = failure
    this.#failures = sameFiles ? this.#failures + 1 : 1
    const retryInMs = backoffMs(this.#failures, BACKOFF)
    this.#notBefore = performance.now() + retryInMs
    return { isNew, retryInMs }
  }

  /** Forgets the failures; returns whether there were any. */
  clear(): boolean {
    const wasThere = this.hasFailed
    this.#failure = null
    return wasThere
  }
}
