import { spawnSync } from 'node:child_process'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A named pipe without a writer. Readers that still wait at the end of the test find it empty. */
export function makePipe(folder: string): string {
  const path = join(folder, 'pipe')
  const { status, stderr } = spawnSync('mkfifo', [path], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  onTestFinished(async () => {
    // Opening for reading and writing does not block.
    await (await open(path, 'r+')).close()
  })
  return path
}
