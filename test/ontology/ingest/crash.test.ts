import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ReleaseFolder } from '../../../src/ontology/index.ts'
import { openRelease } from '../../../src/ontology/release/release.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { ingestInto } from '../../support/service.ts'

const SMALL = 'test/fixtures/ontology/small.ttl'
const TEN = 'test/fixtures/ontology/ten.ttl'

/** Kills an ingest some time after it began to write; resolves once it is dead. */
async function killedIngest(dataDir: string, source: string, delayMs: number): Promise<void> {
  const options = ['--version', '1.0.0', '--date', '2026-01-31', '--replace']
  const args = ['--import', 'tsx', 'src/commands/ingest.ts', source, ...options]
  const env = { ...process.env, SERVICE_DATA_DIR: dataDir }
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const exited = once(child, 'exit')
  child.stderr.on('data', (text: Buffer) => {
    if (text.includes('Writing')) setTimeout(() => child.kill('SIGKILL'), delayMs)
  })
  await exited
}

describe('An ingest that is killed', () => {
  it('leaves a release that opens, at whatever moment it dies', async () => {
    const dataDir = await temporaryFolder()
    const folder = new ReleaseFolder(dataDir)
    await ingestInto(dataDir, [TEN], { version: '1.0.0', date: '2026-01-31' })
    for (const [attempt, delayMs] of [0, 0, 1, 2, 3, 5, 8].entries()) {
      await killedIngest(dataDir, attempt % 2 === 0 ? SMALL : TEN, delayMs)
      expect(await folder.active()).toBe('1.0.0')
      const manifest = await folder.manifest('1.0.0')
      if (manifest === null) throw new Error('The release is gone')
      const release = await openRelease(folder, manifest)
      expect(release.subjects.size).toBe(manifest.counts.subjects)
    }
    // The next ingest takes the lock of the dead and clears away what they left.
    await ingestInto(dataDir, [TEN], { version: '1.0.0', date: '2026-01-31', replace: true })
    await ingestInto(dataDir, [SMALL], { version: '1.0.0', date: '2026-01-31', replace: true })
    const files = await readdir(join(dataDir, 'ontology', 'releases', '1.0.0'))
    expect(files).toHaveLength(2)
    expect((await readdir(join(dataDir, 'ontology'))).sort()).toEqual(['active', 'releases'])
  })
})
