import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (type: 'major' | 'minor') => void

let collect: Collect | null = null

/** How long there has to be little to do, and how much of that time may be work. */
const QUIET_MS = 5000
const LITTLE = 0.02
let waiting: NodeJS.Timeout | null = null

/**
 * Looks for garbage once this thread has little to do: for who lets go of what is large while nobody asks. Of a thread
 * that stays busy, V8 does so by itself.
 */
export function collectWhenQuiet(): void {
  if (waiting !== null) return
  let before = performance.eventLoopUtilization()
  waiting = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(before)
    before = performance.eventLoopUtilization()
    if (utilization > LITTLE) return
    if (waiting !== null) clearInterval(waiting)
    waiting = null
    collectGarbage('major')
  }, QUIET_MS).unref()
}

/**
 * Looks for garbage now, on this thread. V8 does so when something is made: what a thread has left behind when it rests
 * would stay, and bytes outside the heap with it. `minor`: only what is young, which also counts what has gone.
 */
export function collectGarbage(type: 'major' | 'minor'): void {
  collect ??= readCollect()
  collect(type)
}

function readCollect(): Collect {
  setFlagsFromString('--expose-gc')
  const found: unknown = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  if (typeof found !== 'function') throw new Error('V8 has no gc()')
  // Node 20 takes any other argument for minor, also `{ type: 'major' }`.
  return (type) => void Reflect.apply(found, undefined, type === 'minor' ? [{ type }] : [])
}
