import { getHeapStatistics } from 'node:v8'
import { collectGarbage } from './garbage.ts'

const GROWN_BYTES = 8 * 1024 * 1024
const GROWN_PART = 0.25

/**
 * The heap of this thread. A large answer lets the heap grow, and V8 fills it before it collects garbage again. A thread
 * with few requests, but without pauses, would keep that size for minutes.
 */
export class Heap {
  readonly #oftenMs: number
  #collectedAt = performance.now()
  /** Size of V8's heap at that time. */
  #bytes = Infinity

  /** `oftenMs` is the minimum interval between collections of a grown heap. */
  constructor(oftenMs: number) {
    this.#oftenMs = oftenMs
  }

  /** Collects all garbage. */
  collect(): void {
    collectGarbage('major')
    this.#collectedAt = performance.now()
    this.#bytes = getHeapStatistics().total_heap_size
  }

  /** Collects if V8's heap has grown by a quarter and 8 MB since the last time. */
  collectIfGrown(): void {
    if (performance.now() - this.#collectedAt < this.#oftenMs) return
    const grown = getHeapStatistics().total_heap_size - this.#bytes
    if (grown > Math.max(GROWN_BYTES, GROWN_PART * this.#bytes)) this.collect()
  }
}
