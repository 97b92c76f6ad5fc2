import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkRelease, ReleaseFolder } from '../../../src/ontology/index.ts'
import { refusalOf } from '../../support/refusal.ts'
import { ingestInto } from '../../support/service.ts'

const SMALL = 'test/fixtures/ontology/small.ttl'
const OWN = `#+ summary: Nothing is a class.
#+ severity: error
PREFIX owl: <http://www.w3.org/2002/07/owl#>
SELECT ?subject ?detail WHERE { ?subject a owl:Class . BIND("a class" AS ?detail) }`

let dataDir = ''
let folder = new ReleaseFolder(dataDir)

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parapet-check-'))
  folder = new ReleaseFolder(dataDir)
  await ingestInto(dataDir, [SMALL], { version: '1.0.0', date: '2026-01-31' })
  await writeFile(join(dataDir, 'no class.rq'), OWN)
})

afterAll(async () => {
  await rm(dataDir, { recursive: true })
})

describe('The check of a release', () => {
  it('finds what the ingest found', async () => {
    const manifest = await folder.manifest('1.0.0')
    const { sha256, checks } = await checkRelease(folder, '1.0.0', undefined)
    expect(sha256).toBe(manifest?.sha256)
    expect(checks.map(({ name, violations }) => [name, violations.length])).toEqual(
      manifest?.checks.map(({ name, violations }) => [name, violations]),
    )
  })

  it.each(['', 'no class.rq'])('runs queries of others besides: %s', async (path) => {
    const { checks } = await checkRelease(folder, '1.0.0', join(dataDir, path))
    expect(checks.at(-1)).toMatchObject({
      name: 'no class',
      summary: 'Nothing is a class.',
      severity: 'error',
    })
    expect(checks.at(-1)?.violations).toContainEqual({
      subject: 'd3f:Diary',
      detail: 'a class',
    })
  })

  it('refuses what it cannot find or run, by name', async () => {
    const codeOf = async (version: string, path?: string): Promise<string> =>
      (await refusalOf(() => checkRelease(folder, version, path))).code
    expect(await codeOf('9.9.9')).toBe('release_not_found')
    expect(await codeOf('1.0.0', join(dataDir, 'nowhere'))).toBe('source_not_found')
    expect(await codeOf('1.0.0', join(dataDir, 'ontology'))).toBe('source_not_found')
    const broken = join(dataDir, 'ontology', 'broken.rq')
    await writeFile(broken, 'SELECT ?subject WHERE {')
    expect(await codeOf('1.0.0', broken)).toBe('parameter_invalid')
  })
})
