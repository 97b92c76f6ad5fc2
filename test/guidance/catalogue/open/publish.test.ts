// @module-tag database

import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  publishCatalogue,
  type CataloguePublishOptions,
  type CataloguePublishOutcome,
} from '../../../../src/guidance/catalogue/open/publish/publish.ts'
import { describeOntology } from '../../../../src/ontology/index.ts'
import { emptyCatalogue, store } from '../../../support/catalogue.ts'
import { storeCwe } from '../../../support/cwe.ts'
import { temporaryFolder } from '../../../support/folder.ts'
import { rowOf } from '../../../support/guidance-records.ts'
import { guidanceService, signedIn, type GuidanceUnderTest } from '../../../support/guidance.ts'
import { isDeep } from '../../../support/runs.ts'
import { STARTER } from '../../../support/service.ts'
import type { SampleRule } from '../../../support/xccdf-document.ts'

const open = guidanceService({}, undefined, STARTER)
const closed = guidanceService({ SERVICE_CATALOGUE_PUBLIC: 'false' })

const MANIFEST = 'catalogue-manifest.json'
const JOURNAL = '.catalogue-journal'
const BENCHMARKS = '/api/catalogue/benchmarks'
const LID: SampleRule = { id: 'SV-7r2_rule', version: 'TEAP-07', cci: ['CCI-000015', 'CCI-000366'] }

const admin = signedIn(open, 'Root', { admin: true })
let out: string

beforeEach(async () => {
  await emptyCatalogue(open())
  out = await temporaryFolder()
})

function publish(
  { service }: GuidanceUnderTest,
  options: Partial<CataloguePublishOptions> = {},
): Promise<CataloguePublishOutcome> {
  const { guidance, ontology } = service
  return publishCatalogue(guidance, {
    out,
    baseUrl: guidance.baseUrl,
    ontology: describeOntology(ontology),
    ...options,
  })
}

const manifest = z.object({
  names: z.string(),
  files: z.record(z.string(), z.object({ bytes: z.int(), sha256: z.string(), file: z.string().optional() })),
})

async function listed(): Promise<z.infer<typeof manifest>['files']> {
  return manifest.parse(JSON.parse(await readFile(join(out, MANIFEST), 'utf8'))).files
}

/** Files by their names below the folder. */
async function written(): Promise<readonly string[]> {
  const found = await readdir(out, { recursive: true, withFileTypes: true })
  const names = found
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(out.length + 1))
  return names.sort()
}

/** Compares each file that the manifest lists with what the service answers, and all files with the manifest. */
async function expectSame(): Promise<void> {
  const files = Object.entries(await listed())
  for (const [url, { file = decodeURIComponent(url).slice(1), bytes, sha256 }] of files) {
    const content = await readFile(join(out, file))
    const answer = await open().nobody.call('GET', url)
    expect([url, answer.status]).toEqual([url, 200])
    expect([url, content.equals(answer.bytes)]).toEqual([url, true])
    expect([bytes, sha256]).toEqual([content.length, createHash('sha256').update(content).digest('hex')])
  }
  const names = files.map(([url, { file = decodeURIComponent(url).slice(1) }]) => file)
  expect(await written()).toEqual([...names, MANIFEST].sort())
}

describe('The published catalogue', () => {
  beforeEach(async () => {
    await store(open(), { rules: [LID, { id: 'SV-8r1_rule' }] })
    await store(open(), { release: '2', rules: [{ ...LID, title: 'Shut the lid well.' }] })
    await store(open(), { id: 'Kettle_STIG', title: 'Kettle STIG', date: '05 Feb 2026', rules: 60 })
    await store(open(), { id: 'Hot_SRG', title: 'Hot Drinks SRG', kind: 'srg' })
  })

  it('is byte for byte what the service answers', async () => {
    const outcome = await publish(open())
    expect(outcome).toMatchObject({ releases: 4, kept: 0, removed: 0 })
    expect(Object.keys(await listed())).toHaveLength(outcome.written)
    await expectSame()
    const rule = await readFile(join(out, `${BENCHMARKS}/Teapot_STIG/V1R1/rules/SV-7r2_rule.json`), 'utf8')
    expect(z.object({ links: z.array(z.unknown()) }).parse(JSON.parse(rule)).links).not.toEqual([])
  })

  it('has every address that its documents name', async () => {
    await publish(open())
    const files = await listed()
    for (const url of Object.keys(files)) {
      const text = await readFile(join(out, url), 'utf8')
      const named = text.match(/"\/api\/catalogue\/[^"]+"/g) ?? []
      for (const address of named) expect(Object.keys(files)).toContain(address.slice(1, -1))
    }
  })

  it('is not written again where it is the same', async () => {
    const { written: count } = await publish(open())
    const file = join(out, `${BENCHMARKS}.json`)
    const before = await stat(file)
    expect(await publish(open())).toMatchObject({ written: 0, kept: count, removed: 0 })
    expect((await stat(file)).ino).toBe(before.ino)
  })

  it('removes a deleted release, but no files of other origin', async () => {
    await publish(open())
    await writeFile(join(out, 'notes.txt'), 'mine')
    await mkdir(join(out, BENCHMARKS, 'Kettle_STIG/V1R1/mine'))
    await writeFile(join(out, BENCHMARKS, 'Kettle_STIG/V1R1/mine/notes.txt'), 'mine')
    const kettle = await rowOf(open(), 'benchmarks', { benchmark_id: 'Kettle_STIG' })
    await admin.call('DELETE', `/stigs/${kettle.id}`)
    const { removed } = await publish(open())
    expect(removed).toBe(126)
    const left = (await written()).filter((file) => file.includes('Kettle') || file.endsWith('.txt'))
    expect(left).toEqual([`${BENCHMARKS.slice(1)}/Kettle_STIG/V1R1/mine/notes.txt`, 'notes.txt'])
  })

  it('continues after an interruption, and removes files of deleted releases', async () => {
    const stop = (done: number): void => {
      if (done === 40) throw new Error('stopped')
    }
    await expect(publish(open(), { onProgress: stop })).rejects.toThrow('stopped')
    expect(await written()).toContain(JOURNAL)
    const hot = await rowOf(open(), 'benchmarks', { benchmark_id: 'Hot_SRG' })
    await admin.call('DELETE', `/srgs/${hot.id}`)
    const { kept } = await publish(open())
    expect(kept).toBeGreaterThan(20)
    await expectSame()
  })

  it.each(['reference_sources', 'benchmarks'] as const)(
    'refuses when %s change while it is published',
    async (table) => {
      const { database } = open().service.guidance
      await storeCwe(database)
      const changes: Promise<unknown>[] = []
      const onProgress = (): void => {
        if (changes.length > 0) return
        changes.push(database.transact((writer) => writer.deleteFrom(table).execute()))
      }
      await expect(publish(open(), { onProgress })).rejects.toThrow('Run the command again.')
      await Promise.all(changes)
      expect(await written()).not.toContain(MANIFEST)
    },
  )

  it('contains no data of projects', async () => {
    await open().project(admin, { name: 'Secret kitchen' })
    await publish(open())
    for (const file of await written()) expect(await readFile(join(out, file), 'utf8')).not.toContain('Secret kitchen')
  })
})

/** Names of files are made without the database. */
describe.skipIf(process.env['PARAPET_TEST_DIALECT'] === 'postgres' && !isDeep)('A benchmark with an odd id', () => {
  it.each(['..x', '../../etc', 'a/b', 'a/../../b', '.hidden', 'C:\\x', 'Tee kännchen & Co', 'x'.repeat(240), 'a%2fb'])(
    'is published inside of the folder: %s',
    async (id) => {
      await store(open(), { id, rules: [{ id: '../../../../../x', version: 'T' }, LID] })
      await store(open(), { id, release: '2', rules: [LID] })
      out = join(out, 'below')
      await publish(open())
      expect(await readdir(join(out, '..'))).toEqual(['below'])
      expect((await written()).length).toBeGreaterThan(10)
      await expectSame()
    },
  )

  it('has portable file names if the option asks for them', async () => {
    await store(open(), { id: 'Tee:kännchen', rules: [{ id: 'con', version: 'T' }] })
    await publish(open(), { names: 'portable' })
    expect(await written()).toContain(`${BENCHMARKS.slice(1)}/Tee~3Ak~C3~A4nnchen/V1R1/rules/~63on.json`)
    await expectSame()
  })

  it('has separate files if another id differs only by letter case', async () => {
    await store(open(), { id: 'Teapot_STIG' })
    await store(open(), { id: 'TEAPOT_STIG', title: 'Loud teapot' })
    await publish(open())
    const names = (await written()).map((name) => name.toLowerCase())
    expect(new Set(names).size).toBe(names.length)
    await expectSame()
  })

  it('is published once where an SRG and a STIG have it', async () => {
    await store(open(), { id: 'Teapot' })
    await store(open(), { id: 'Teapot', release: '2', kind: 'srg', title: 'Teapot Security Requirements Guide' })
    await publish(open())
    await expectSame()
  })

  it('is published under its former id as well', async () => {
    await store(open(), { id: 'Old_Teapot_STIG' })
    await store(open(), { release: '2' })
    const alias = { benchmark_alias: { alias: 'Old_Teapot_STIG', benchmark_id: 'Teapot_STIG' } }
    await admin.call('POST', '/api/benchmark_aliases', { body: alias })
    await publish(open())
    expect(Object.keys(await listed())).toContain(`${BENCHMARKS}/Teapot_STIG/V1R1/changes/V1R2.csv`)
    await expectSame()
  })
})

describe('A folder that cannot be published to', () => {
  it.each([
    [MANIFEST, '{"files":{"/../x":{}}}'],
    [MANIFEST, 'no JSON'],
    [JOURNAL, '["../x"]'],
  ])('is refused for its %s %s', async (name, content) => {
    await writeFile(join(out, name), content)
    await expect(publish(open())).rejects.toThrow('was not written by publish')
  })
})

it('A catalogue that is not public is refused', async () => {
  await store(closed(), {})
  await expect(publish(closed())).rejects.toThrow('SERVICE_CATALOGUE_PUBLIC is false')
  expect(await written()).toEqual([])
})
