/**
 * Room for what is noted of each record while one question is answered: it is used again, because arrays as long as the
 * library for each question would keep the collector busy.
 */
const free: ArrayBuffer[] = []
const MOST_FREE = 8

/** Zeros. Who does not give them back only wastes them. */
export function takeNumbers(length: number): Float32Array<ArrayBuffer> {
  return new Float32Array(roomOf(4 * length), 0, length).fill(0)
}

/** Of no particular content. */
export function takeIndexes(length: number): Uint32Array<ArrayBuffer> {
  return new Uint32Array(roomOf(4 * length), 0, length)
}

/** Nobody may look at it any more. */
export function giveBack({ buffer }: { readonly buffer: ArrayBuffer }): void {
  free.push(buffer)
  if (free.length <= MOST_FREE) return
  free.sort((a, b) => b.byteLength - a.byteLength).pop()
}

/** The smallest that is large enough. */
function roomOf(bytes: number): ArrayBuffer {
  let best = -1
  for (const [place, { byteLength }] of free.entries())
    if (byteLength >= bytes && byteLength < (free[best]?.byteLength ?? Infinity)) best = place
  const [there] = best === -1 ? [] : free.splice(best, 1)
  return there ?? new ArrayBuffer(bytes)
}
