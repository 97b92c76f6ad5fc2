import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options: { readonly type: 'major' | 'minor' }) => void

let collect: Collect | null = null

/**
 * Looks for garbage now, on this thread. V8 does so when something is made: what a thread has left behind when it rests
 * would stay, and bytes outside the heap with it. `minor`: only what is young, which also counts what has gone.
 */
export function collectGarbage(type: 'major' | 'minor'): void {
  collect ??= readCollect()
  collect({ type })
}

function readCollect(): Collect {
  setFlagsFromString('--expose-gc')
  const found: unknown = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  if (typeof found !== 'function') throw new Error('V8 has no gc()')
  return (options) => void Reflect.apply(found, undefined, [options])
}
