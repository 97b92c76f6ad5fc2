import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { VIEWS } from '../src/ontology/views/list.ts'
import { ingestInto, jsonOf, STARTER, startService, type TestService } from './support/service.ts'

const document = z.looseObject({
  openapi: z.string(),
  paths: z.record(z.string(), z.object({ get: z.looseObject({ operationId: z.string() }) })),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
})

let dataDir: string
let service: TestService

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parapet-'))
  await ingestInto(dataDir, STARTER)
  service = await startService(dataDir)
})

afterAll(async () => {
  await service.close()
  await rm(dataDir, { recursive: true, force: true })
})

describe('The app', () => {
  it('tells that it lives and which release it is ready to serve', async () => {
    expect(jsonOf(await service.get('/healthz'))).toEqual({ status: 'ok' })
    expect(jsonOf(await service.get('/readyz'))).toEqual({
      status: 'ready',
      release: '0.1.0-starter',
    })
  })

  it.each(['/nothing', '/api', '/api/nothing.json', '/assets/nothing.js', '/assets/../main.js'])(
    'answers %s with a 404 problem',
    async (path) => {
      const response = await service.get(path)
      expect(response.status).toBe(404)
      expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8')
      expect(jsonOf(response)).toMatchObject({ code: 'route_not_found', status: 404 })
    },
  )

  it.each(['/', '/api/docs', '/docs/api/errors'])(
    'serves the page %s with a policy that lets nothing in from elsewhere',
    async (path) => {
      const { status, headers, body } = await service.get(path)
      expect(status).toBe(200)
      expect(headers['content-type']).toContain('text/html')
      expect(headers['content-security-policy']).toContain("script-src 'self'")
      expect(headers['x-powered-by']).toBeUndefined()
      expect(body.toString()).not.toMatch(/(src|href)="https?:\/\/(?!www\.rfc-editor)/)
    },
  )

  it.each(['/', '/healthz', '/api/docs', '/api/openapi.json'])(
    'refuses to write to %s and says what is allowed',
    async (path) => {
      const response = await service.get(path, { method: 'POST' })
      expect(response.status).toBe(405)
      expect(response.headers.allow).toBe('GET, HEAD')
      expect(jsonOf(response)).toMatchObject({ code: 'method_not_allowed' })
    },
  )

  it('is no longer ready once it drains', async () => {
    const draining = await startService(dataDir)
    draining.drain()
    expect((await draining.get('/readyz')).status).toBe(503)
    expect((await draining.get('/api/version.json')).status).toBe(200)
    await draining.close()
  })
})

describe('The OpenAPI document', () => {
  it('is valid OpenAPI 3.1 and open to browsers of any origin', async () => {
    const response = await service.get('/api/openapi.json')
    const { valid, errors } = await new Validator().validate(
      z.looseObject({}).parse(jsonOf(response)),
    )
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined })
    expect(response.headers['access-control-allow-origin']).toBe('*')
  })

  it('lists every view once, with operation ids of their own', async () => {
    const { openapi, paths } = document.parse(jsonOf(await service.get('/api/openapi.json')))
    expect(openapi).toBe('3.1.0')
    expect(Object.keys(paths).sort()).toEqual(VIEWS.map(({ path }) => path).sort())
    const ids = Object.values(paths).map(({ get }) => get.operationId)
    expect(new Set(ids).size).toBe(VIEWS.length)
  })

  it('refers only to schemas that it holds', async () => {
    const response = await service.get('/api/openapi.json')
    const { components } = document.parse(jsonOf(response))
    const references = response.body.toString().matchAll(/#\/components\/schemas\/([^"]+)/g)
    for (const [, name = ''] of references) expect(components.schemas).toHaveProperty(name)
  })
})
