import { execFileSync } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const MEBIBYTES = 256

/** A file system of its own for the data, where this system allows to mount one. */
export interface SmallDisk {
  fill(): Promise<void>
  empty(): Promise<void>
  unmount(): void
}

/** Null where it is not allowed. */
export function mountSmallDisk(folder: string): SmallDisk | null {
  try {
    const size = `size=${MEBIBYTES}m`
    execFileSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return null
  }
  const filler = join(folder, 'filler')
  return {
    fill: async () => {
      // It ends where there is no space left, and takes all that there was.
      await writeFile(filler, Buffer.alloc(MEBIBYTES * 1024 * 1024)).catch(() => undefined)
    },
    empty: () => rm(filler, { force: true }),
    unmount: () => {
      execFileSync('umount', ['--lazy', folder])
    },
  }
}
