import { setTimeout as sleep } from 'node:timers/promises'
import { backoffMs } from '../../platform/concurrency/backoff.ts'
import { Refusal } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'

const BACKOFF = { firstMs: 250, longestMs: 5000 }

interface WaitOptions {
  readonly log: Log
  /** In milliseconds, from the first attempt; 0: no retry. */
  readonly waitMs?: number
}

/**
 * Retries, with growing pauses, while the database server does not answer, because it may still be starting. Other refusals
 * would not change.
 */
export async function waitForServer(open: () => Promise<void>, { log, waitMs = 0 }: WaitOptions): Promise<void> {
  const until = performance.now() + waitMs
  for (let attempt = 1; ; attempt += 1) {
    try {
      await open()
      return
    } catch (error) {
      const remainingMs = until - performance.now()
      if (remainingMs <= 0 || !isSilence(error)) throw error
      log.warn({ waitSeconds: Math.ceil(remainingMs / 1000) }, 'The database does not answer; trying again')
      await sleep(Math.min(backoffMs(attempt, BACKOFF), remainingMs))
    }
  }
}

function isSilence(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'database_unavailable'
}
