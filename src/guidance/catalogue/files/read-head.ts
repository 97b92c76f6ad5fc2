import { open } from 'node:fs/promises'
import { HEAD_BYTES } from './file-type.ts'

/** Reads the size of a file, and the first bytes, by which its type is recognised. */
export async function readHead(file: string): Promise<{ readonly head: Buffer; readonly size: number }> {
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return { head: buffer.subarray(0, bytesRead), size }
  } finally {
    await handle.close()
  }
}
