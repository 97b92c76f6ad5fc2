import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { SyncSchedule } from '../../src/sync/schedule.ts'
import { writeState } from '../../src/sync/state.ts'
import { temporaryFolder } from '../support/folder.ts'

/** Runs a command of this source, if it is time. */
async function scheduled(
  source: string,
  ranAgoMs: number | null,
): Promise<{ readonly folder: string; readonly lines: readonly string[]; readonly schedule: SyncSchedule }> {
  const folder = join(await temporaryFolder(), 'sync')
  await mkdir(folder)
  const file = join(folder, 'command.mjs')
  await writeFile(file, source)
  const ran_at = ranAgoMs === null ? null : new Date(Date.now() - ranAgoMs).toISOString()
  await writeState(folder, { ran_at, fetched: {} })
  const lines: string[] = []
  const log = pino({ base: null }, { write: (line) => void lines.push(line) })
  const command = pathToFileURL(file)
  const schedule = new SyncSchedule({ folder, everyMs: 3_600_000, command, log, checkIntervalMs: 20 })
  onTestFinished(() => schedule.close())
  return { folder, lines, schedule }
}

describe('The schedule of the sync', () => {
  it('runs the command at its time, and logs its output', async () => {
    const { lines } = await scheduled(`console.log('a STIG came')`, 3_600_001)
    await expect.poll(() => lines[0] ?? '').toContain('"status":0')
    expect(lines[0]).toContain('a STIG came')
  })

  it('warns if a file could not be fetched', async () => {
    const { lines } = await scheduled(`console.error('gone'); process.exitCode = 1`, null)
    await expect.poll(() => lines[0] ?? '').toContain('"status":1')
    expect(lines[0]).toMatch(/"level":40.*gone/)
  })

  it('waits for the interval since the last run, manual or scheduled', async () => {
    const { lines } = await scheduled(`console.log('too early')`, 1000)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(lines).toEqual([])
  })

  it('ends the command when the service ends', async () => {
    const source = `import { writeFileSync } from 'node:fs'
      writeFileSync(new URL('began', import.meta.url), '')
      setInterval(() => undefined, 1000)`
    const { folder, lines, schedule } = await scheduled(source, null)
    await vi.waitFor(() => readFile(join(folder, 'began')), 20_000)
    await schedule.close()
    expect(lines[0]).toContain('"signal":"SIGTERM"')
  })
})
