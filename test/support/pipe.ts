import { spawnSync } from 'node:child_process'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A named pipe that nobody writes to. What still waits for it at the end of the test finds it empty. */
export function makePipe(folder: string): string {
  const path = join(folder, 'pipe')
  const { status, stderr } = spawnSync('mkfifo', [path], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  onTestFinished(async () => {
    // Open for reading and writing, which does not wait for anybody.
    await (await open(path, 'r+')).close()
  })
  return path
}
