import { readlinkSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

/** A lowered thread is this much nicer than the process. */
const LESS = 10
const LEAST = 19

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

/** Lets others come first, the other threads of the process included. False: that cannot be. */
export function lowerPriority(threadId: number): boolean {
  return attempt(threadId, Math.min(LEAST, getPriority() + LESS))
}

/** Sets the priority of the process again. Most systems let only the superuser do that. */
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
