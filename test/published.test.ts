import { createHash } from 'node:crypto'
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { publish } from '../src/ontology/index.ts'
import { RESPONSE_SCHEMAS } from '../src/ontology/schemas.ts'
import { VIEWS } from '../src/ontology/views/list.ts'
import { ingestInto, jsonOf, STARTER, startService, type TestService } from './support/service.ts'

const manifestForm = z.object({
  version: z.string(),
  ontology_hash_sha256: z.string(),
  files: z.record(z.string(), z.object({ bytes: z.int(), sha256: z.string() })),
})

let dataDir: string
let out: string
let service: TestService
let files: z.infer<typeof manifestForm>['files']

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parapet-'))
  out = join(dataDir, 'published')
  await ingestInto(dataDir, STARTER)
  service = await startService(dataDir)
  await publish(service.folder, { out, dataDir, compress: true })
  files = manifestForm.parse(JSON.parse(await readFile(join(out, 'manifest.json'), 'utf8'))).files
})

afterAll(async () => {
  await service.close()
  await rm(dataDir, { recursive: true, force: true })
})

function toUrl(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

function pathsOf(template: string): readonly string[] {
  const [before = '', after = ''] = template.split(/\{.*\}/)
  if (!template.includes('{')) return [template]
  const documents = VIEWS.map((view) => view.path)
  return Object.keys(files).filter((path) => {
    const inbound = path.startsWith('/api/ontology/describe/inbound/')
    if (documents.includes(path) || inbound !== before.includes('inbound')) return false
    return path.startsWith(before) && path.endsWith(after)
  })
}

describe('The published tree', () => {
  it.each(VIEWS.map((view) => view.path))(
    'holds byte for byte what HTTP answers at %s',
    async (template) => {
      const paths = pathsOf(template)
      expect(paths.length).toBeGreaterThan(0)
      for (const path of paths) {
        const file = await readFile(join(out, path))
        const { status, body } = await service.get(toUrl(path))
        expect({ path, status, same: body.equals(file) }).toEqual({ path, status: 200, same: true })
      }
    },
  )

  it.each(VIEWS.filter((view) => view.format.mediaType.startsWith('application/json')))(
    'answers $path in the shape that the OpenAPI document states',
    async ({ path: template, responseType }) => {
      const schema: z.ZodType = RESPONSE_SCHEMAS[responseType]
      for (const path of pathsOf(template)) {
        const answer = schema.safeParse(jsonOf(await service.get(toUrl(path))))
        expect(answer.error, path).toBeUndefined()
      }
    },
  )

  it('lists every file with its digest, and nothing else is there', async () => {
    const names = await readdir(join(out, 'api'), { recursive: true, withFileTypes: true })
    const plain = names.filter((entry) => entry.isFile() && !/\.(gz|br)$/.test(entry.name))
    expect(plain).toHaveLength(Object.keys(files).length)
    for (const [path, { bytes, sha256 }] of Object.entries(files)) {
      const content = await readFile(join(out, path))
      expect(content.length).toBe(bytes)
      expect(createHash('sha256').update(content).digest('hex')).toBe(sha256)
    }
    expect((await readdir(out)).sort()).toEqual(['api', 'manifest.json'])
  })

  it('has both files for every subject', () => {
    const described = pathsOf('/api/ontology/describe/{subject}.json')
    const inbound = pathsOf('/api/ontology/describe/inbound/{subject}.json')
    expect(described).toHaveLength(inbound.length)
    expect(described.length).toBe(service.ontology.current?.manifest.counts.subjects)
  })
})
