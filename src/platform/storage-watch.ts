import { randomBytes } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf, type Refusal } from './errors.ts'
import type { Log } from './log.ts'
import { codeOf, storageRefusal } from './storage.ts'

/** A result is reused for this long, so that frequent checks cause no more work. */
const RESULT_TTL_MS = 2000
/** Bytes that a probe writes: more than a small commit needs, so that the result does not flicker. */
const PROBE_BYTES = 1024 * 1024

type Probe = () => Promise<void>

/**
 * Remembers that a write failed, and tests by writing whether writes work again. Writes nothing as long as nothing fails.
 */
export class StorageWatch {
  readonly #log: Log
  #fault: Refusal | null = null
  #lastProbe: { readonly at: number; readonly result: Promise<void> } | null = null

  constructor(log: Log) {
    this.#log = log
  }

  /** Whether a write failed, and none has succeeded since. */
  get hasFault(): boolean {
    return this.#fault !== null
  }

  /** Turns an error into the one to throw: a refusal if storage is full or cannot be written. */
  note(error: unknown): unknown {
    const refusal = storageRefusal(error)
    if (refusal === null) return error
    // A refusal has already been recorded when it was made.
    if (refusal !== error) {
      const { code, cause } = refusal
      this.#log.error({ code, cause: codeOf(cause), reason: messageOf(cause) }, 'A write failed')
      this.#fault = refusal
    }
    return refusal
  }

  /** Rejects with the reason as long as the probes cannot write. */
  async check(probes: readonly Probe[]): Promise<void> {
    if (this.#fault === null) return
    if (this.#lastProbe === null || this.#lastProbe.at + RESULT_TTL_MS < Date.now())
      this.#lastProbe = { at: Date.now(), result: this.#try(probes) }
    await this.#lastProbe.result
  }

  async #try(probes: readonly Probe[]): Promise<void> {
    try {
      for (const probe of probes) await probe()
    } catch (error) {
      const refusal = storageRefusal(error)
      this.#fault = refusal ?? this.#fault
      throw refusal ?? error
    }
    this.#fault = null
    this.#lastProbe = null
    this.#log.info('The storage can be written again')
  }
}

/** Writes a file, waits for the disk, and removes it. */
export async function probeFolder(folder: string): Promise<void> {
  const file = join(folder, '.space')
  try {
    const handle = await open(file, 'w', 0o600)
    try {
      await handle.writeFile(randomBytes(PROBE_BYTES))
      await handle.sync()
    } finally {
      await handle.close()
    }
  } finally {
    await rm(file, { force: true })
  }
}
