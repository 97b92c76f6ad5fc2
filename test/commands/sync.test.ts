import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ReleaseFolder } from '../../src/ontology/index.ts'
import { builtProgram } from '../support/build.ts'
import { freshDatabase, type FreshDatabase } from '../support/fresh-database.ts'
import { xccdfDocument } from '../support/xccdf-document.ts'
import { zipOf } from '../support/zip.ts'
import { libraryServer } from '../sync/library-server.ts'

const SMALL = 'test/fixtures/ontology/small.ttl'
const failure = z.looseObject({ code: z.number(), stdout: z.string(), stderr: z.string() })

async function sync(
  { dataDir, url }: FreshDatabase,
  settings: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<z.output<typeof failure>> {
  const env = {
    PATH: process.env['PATH'],
    SERVICE_DATA_DIR: dataDir,
    ...(url !== null && { SERVICE_DATABASE_URL: url }),
    ...settings,
  }
  const program = builtProgram('src/commands/sync.ts')
  try {
    const said = await promisify(execFile)(process.execPath, [program, ...args], { env })
    return { ...said, code: 0 }
  } catch (error) {
    return failure.parse(error)
  }
}

describe('npm run sync', () => {
  it('imports what is new, ingests without activating, and transfers nothing twice', async () => {
    const fresh = await freshDatabase()
    const server = await libraryServer({
      '/library.zip': await zipOf({ 'a.xml': xccdfDocument({ rules: 2 }) }),
      '/broken.xml': '<Benchmark',
      '/small.ttl': await readFile(SMALL, 'utf8'),
    })
    const settings = {
      SERVICE_LIBRARY_URLS: `${server.url}/library.zip ${server.url}/broken.xml`,
      SERVICE_ONTOLOGY_URL: `${server.url}/small.ttl`,
      SERVICE_SYNC_ALLOW_PRIVATE: 'true',
    }
    const first = await sync(fresh, settings)
    expect(first.stdout).toMatch(/^came +\S+ V\dR\d+ +http\S+\/library.zip$/m)
    expect(first.stdout).toMatch(/^refused .*\[xml_not_well_formed\] +http\S+\/broken.xml$/m)
    expect(first.stdout).toMatch(/^came +ontology 0\.0\.1, not served yet +http/m)
    expect(first.code).toBe(1)
    const folder = new ReleaseFolder(fresh.dataDir)
    expect(await folder.versions()).toEqual(['0.0.1'])
    expect(await folder.active()).toBeNull()
    server.sent.length = 0
    const second = await sync(fresh, settings)
    expect(second.stdout.match(/^unchanged /gm)).toHaveLength(3)
    expect(second.code).toBe(0)
    expect(server.sent).toEqual([])
  })

  it('says which setting is missing', async () => {
    const { code, stderr } = await sync(await freshDatabase(), {})
    expect(stderr).toMatch(/^Set SERVICE_LIBRARY_URLS or SERVICE_ONTOLOGY_URL/)
    expect(code).toBe(1)
  })
})
