import { existsSync, watch, type FSWatcher } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Several files change at once. Waiting a little lets the reader see all of them. */
const SETTLE_MS = 20

/**
 * Waits for changes of the names in a folder. Local file systems report them immediately. Network file systems do not,
 * nor does a folder that does not exist yet, so the caller has to poll as well.
 */
export class FolderChange {
  readonly #folder: string
  #watcher: FSWatcher | null = null
  #isClosed = false
  #hasChanged = false
  #wake: () => void = () => undefined

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Resolves after a change, when the time is up or this is closed. */
  async next(longestMs: number): Promise<void> {
    this.#watch()
    if (!this.#hasChanged && !this.#isClosed) await this.#sleep(longestMs)
    if (this.#hasChanged) await sleep(SETTLE_MS, null, { ref: false })
    this.#hasChanged = false
  }

  close(): void {
    this.#isClosed = true
    this.#unwatch()
    this.#wake()
  }

  #sleep(longestMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, longestMs).unref()
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #watch(): void {
    if (this.#watcher !== null || this.#isClosed || !existsSync(this.#folder)) return
    try {
      this.#watcher = watch(this.#folder, { persistent: false })
      this.#watcher.on('change', () => {
        this.#hasChanged = true
        this.#wake()
      })
      this.#watcher.on('error', () => {
        this.#unwatch()
      })
    } catch {
      // The system has no more watches, so the folder is polled.
      this.#unwatch()
    }
  }

  #unwatch(): void {
    this.#watcher?.close()
    this.#watcher = null
  }
}
