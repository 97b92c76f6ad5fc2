import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Refusal, type RefusalCode } from '../../src/platform/errors.ts'
import { synchronise, type SyncTargets } from '../../src/sync/sync.ts'
import { refusalOf } from '../support/refusal.ts'
import { libraryServer } from './library-server.ts'
import { collector, optionsFor, run } from './run.ts'

/** Takes nothing, for one reason. */
function refusing(code: RefusalCode): SyncTargets {
  const refuse = (): Promise<never> => Promise.reject(new Refusal(code, 'Not now.'))
  return { library: refuse, reference: refuse, ontology: refuse }
}

describe('A file that came while the disk was full', () => {
  it.each(['storage_full', 'storage_unwritable'] as const)('ends the run (%s) and is fetched again', async (code) => {
    const server = await libraryServer({ '/a.zip': 'a', '/list': '["/b.zip"]', '/b.zip': 'b' })
    const { given, targets } = collector()
    const options = await optionsFor(server, ['/a.zip', '/list'])
    const refused = await refusalOf(() => synchronise(options, refusing(code)))
    expect(refused.code).toBe(code)
    expect(await run(options, targets)).toEqual(['imported /a.zip', 'imported /b.zip'])
    expect(given).toEqual(['a', 'b'])
  })

  it('is fetched again if a list names it, or if it is the ontology', async () => {
    const server = await libraryServer({ '/list': '["/b.zip"]', '/b.zip': 'b', '/o.ttl': 'o' })
    const [ontology, library] = [`${server.url}/o.ttl`, `${server.url}/list`]
    const options = await optionsFor(server, [])
    for (const source of [{ ontology }, { libraries: [library] }])
      await refusalOf(() => synchronise({ ...options, ...source }, refusing('storage_full')))
    const withBoth = { ...options, ontology, libraries: [library] }
    expect(await run(withBoth, collector().targets)).toEqual(['imported /b.zip', 'imported /o.ttl'])
  })
})

describe.runIf(process.platform === 'linux')('A file for which there was no space on the disk', () => {
  it('ends the run and is fetched again', async () => {
    const server = await libraryServer({ '/a.zip': 'a' })
    const options = await optionsFor(server, ['/a.zip'])
    // The file there is a link to a device that is always full.
    await mkdir(options.folder)
    await symlink('/dev/full', join(options.folder, `fetched-${process.pid}-a.zip`))
    const { code } = await refusalOf(() => synchronise(options, collector().targets))
    expect(code).toBe('storage_full')
    expect(await run(options, collector().targets)).toEqual(['imported /a.zip'])
  })
})

describe('A refused file', () => {
  it.each(['folder_unusable', 'database_unavailable'] as const)(
    'for a temporary reason (%s) is fetched again, and does not block other files',
    async (code) => {
      const server = await libraryServer({ '/a.zip': 'a', '/o.ttl': 'o' })
      const options = await optionsFor(server, ['/a.zip'], { ontology: `${server.url}/o.ttl` })
      expect(await run(options, refusing(code))).toEqual(['refused /a.zip', 'refused /o.ttl'])
      expect(await run(options, collector().targets)).toEqual(['imported /a.zip', 'imported /o.ttl'])
    },
  )

  it.each(['not_a_benchmark', 'checks_failed', 'version_taken', 'too_large'] as const)(
    'because of its content (%s) is not imported again before it changes',
    async (code) => {
      const server = await libraryServer({ '/a.zip': 'a' })
      const options = await optionsFor(server, ['/a.zip'])
      expect(await run(options, refusing(code))).toEqual(['refused /a.zip'])
      const { given, targets } = collector()
      expect(await run(options, targets)).toEqual(['unchanged /a.zip'])
      server.files.set('/a.zip', 'b')
      expect(await run(options, targets)).toEqual(['imported /a.zip'])
      expect(given).toEqual(['b'])
    },
  )
})

describe('Equal bytes', () => {
  it('without an entity tag are unchanged, wherever the file is named', async () => {
    const files = { '/a.zip': 'a', '/list': '["/b.zip"]', '/b.zip': 'b', '/o.ttl': 'o' }
    const server = await libraryServer(files)
    for (const path of Object.keys(files)) server.untagged.add(path)
    const { given, targets } = collector()
    const options = await optionsFor(server, ['/a.zip', '/list'], { ontology: `${server.url}/o.ttl` })
    const imported = ['imported /a.zip', 'imported /b.zip', 'imported /o.ttl']
    expect(await run(options, targets)).toEqual(imported)
    const unchanged = ['unchanged /a.zip', 'unchanged /b.zip', 'unchanged /o.ttl']
    for (const _run of [2, 3]) expect(await run(options, targets)).toEqual(unchanged)
    expect(given).toEqual(['a', 'b', 'ontology o'])
    server.files.set('/a.zip', 'A')
    server.files.set('/b.zip', 'B')
    server.files.set('/o.ttl', 'O')
    expect(await run(options, targets)).toEqual(imported)
    expect(given.slice(3)).toEqual(['A', 'B', 'ontology O'])
  })

  it('that get an entity tag later are not sent again after that', async () => {
    const server = await libraryServer({ '/a.zip': 'a', '/list': '["/b.zip"]', '/b.zip': 'b' })
    for (const path of server.files.keys()) server.untagged.add(path)
    const options = await optionsFor(server, ['/a.zip', '/list'])
    const { given, targets } = collector()
    await run(options, targets)
    server.untagged.clear()
    const unchanged = ['unchanged /a.zip', 'unchanged /b.zip']
    for (const _run of [2, 3]) expect(await run(options, targets)).toEqual(unchanged)
    const each = ['/a.zip', '/list', '/b.zip']
    expect(server.sent).toEqual([...each, ...each])
    expect(given).toEqual(['a', 'b'])
  })
})
