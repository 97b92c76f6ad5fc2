import { backoffMs } from '../platform/concurrency/backoff.ts'
import { messageOf } from '../platform/errors.ts'
import type { ReleaseFolder } from './release/folder.ts'

const PAUSES = { firstMs: 2000, longestMs: 5 * 60_000 }

/**
 * Why a release cannot be opened at present, and when to try again: after 2 s, after each further
 * failure twice as long, at most 5 min, and at once when its files change.
 */
export class OpeningRetry {
  readonly #folder: ReleaseFolder
  readonly #version: string | undefined
  #failure: { readonly stamp: string; readonly message: string } | null = null
  /** In a row, with the same files. */
  #failures = 0
  #notBefore = 0

  /** Without a version, of whichever is active. */
  constructor(folder: ReleaseFolder, version?: string) {
    this.#folder = folder
    this.#version = version
  }

  /** Whether the last attempt has failed. */
  get isThere(): boolean {
    return this.#failure !== null
  }

  async isWorthTrying(): Promise<boolean> {
    if (this.#failure === null || performance.now() >= this.#notBefore) return true
    return (await this.#folder.stamp(this.#version)) !== this.#failure.stamp
  }

  /** Counts a failure. `isNew` when the one before was another, or of other files. */
  async note(error: unknown): Promise<{ readonly isNew: boolean; readonly retryInMs: number }> {
    const failure = { stamp: await this.#folder.stamp(this.#version), message: messageOf(error) }
    const sameFiles = failure.stamp === this.#failure?.stamp
    const isNew = !sameFiles || failure.message !== this.#failure?.message
    this.#failure = failure
    this.#failures = sameFiles ? this.#failures + 1 : 1
    const retryInMs = backoffMs(this.#failures, PAUSES)
    this.#notBefore = performance.now() + retryInMs
    return { isNew, retryInMs }
  }

  /** Forgets the failures; true where there were any. */
  isOver(): boolean {
    const wasThere = this.isThere
    this.#failure = null
    return wasThere
  }
}
