import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (type: 'major' | 'minor') => void

let collect: Collect | null = null

/** The thread counts as quiet if it worked at most this part of this time. */
const QUIET_MS = 5000
const MAX_UTILIZATION = 0.02
let waiting: NodeJS.Timeout | null = null

/**
 * Collects garbage once this thread has little to do, after something large is no longer used. On a busy thread, V8 does
 * that by itself.
 */
export function collectWhenQuiet(): void {
  if (waiting !== null) return
  let before = performance.eventLoopUtilization()
  waiting = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(before)
    before = performance.eventLoopUtilization()
    if (utilization > MAX_UTILIZATION) return
    if (waiting !== null) clearInterval(waiting)
    waiting = null
    collectGarbage('major')
  }, QUIET_MS).unref()
}

/**
 * Collects garbage on this thread now. V8 only does so when objects are created, so the garbage of an idle thread would
 * stay, and its bytes outside of the heap too. `minor` collects only the young generation, which also updates the size of
 * external memory.
 */
export function collectGarbage(type: 'major' | 'minor'): void {
  collect ??= readCollect()
  collect(type)
}

function readCollect(): Collect {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  if (typeof collect !== 'function') throw new Error('V8 has no gc()')
  // Node 20 treats every other argument as minor, also `{ type: 'major' }`.
  return (type) => void Reflect.apply(collect, undefined, type === 'minor' ? [{ type }] : [])
}
