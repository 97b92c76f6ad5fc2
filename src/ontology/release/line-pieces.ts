import { closeSync, openSync, readSync } from 'node:fs'

const BYTES = 256 * 1024
const LINE_FEED = 0x0a

/** Reads a text file (UTF-8) in pieces of whole lines. Reads synchronously, so it must not run on the main thread. */
export function* linePieces(file: string): Generator<string> {
  const handle = openSync(file, 'r')
  try {
    let partialLine = Buffer.alloc(0)
    for (;;) {
      const buffer = Buffer.alloc(BYTES)
      const size = readSync(handle, buffer)
      const text = Buffer.concat([partialLine, buffer.subarray(0, size)])
      const end = size === 0 ? text.length : text.lastIndexOf(LINE_FEED) + 1
      if (end > 0) yield text.toString('utf8', 0, end)
      if (size === 0) return
      partialLine = text.subarray(end)
    }
  } finally {
    closeSync(handle)
  }
}
