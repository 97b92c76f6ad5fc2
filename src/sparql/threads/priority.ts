import { readlinkSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

/** A lowered thread is this much nicer than the process. */
const PRIORITY_STEP = 10
const LOWEST_PRIORITY = 19

/** The system's id of the calling thread; null where threads have no priorities of their own (other than Linux). */
export function ownThreadId(): number | null {
  if (process.platform !== 'linux') return null
  try {
    const id = Number(/\/task\/(\d+)$/.exec(readlinkSync('/proc/thread-self'))?.[1])
    return Number.isInteger(id) ? id : null
  } catch {
    return null
  }
}

/** Lowers the priority of a thread below that of the process; false if the system does not allow it. */
export function lowerPriority(threadId: number): boolean {
  return attempt(threadId, Math.min(LOWEST_PRIORITY, getPriority() + PRIORITY_STEP))
}

/** Gives a thread the priority of the process again. Most systems allow that only to the superuser. */
export function restorePriority(threadId: number): boolean {
  return attempt(threadId, getPriority())
}

function attempt(threadId: number, priority: number): boolean {
  try {
    setPriority(threadId, priority)
    return true
  } catch {
    return false
  }
}
