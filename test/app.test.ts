// @module-tag node

import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { VIEWS } from '../src/ontology/endpoints/list.ts'
import { FILE_NAMES, FILES } from '../src/ontology/views/whole/whole.ts'
import { rawRequest, sendRaw } from './support/raw-request.ts'
import { jsonOf, starterService } from './support/service.ts'

const document = z.looseObject({
  openapi: z.string(),
  paths: z.record(
    z.string(),
    z.record(z.string(), z.looseObject({ operationId: z.string(), tags: z.array(z.string()) })),
  ),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
})

const service = starterService()

describe('The app', () => {
  it('reports that it is alive and which release it serves', async () => {
    expect(jsonOf(await service().get('/healthz'))).toEqual({ status: 'ok' })
    expect(jsonOf(await service().get('/readyz'))).toEqual({ status: 'ready', release: '0.1.0-starter' })
  })

  it.each(['/nothing', '/api', '/api/nothing.json', '/assets/nothing.js', '/assets/../main.js'])(
    'answers %s with a 404 problem',
    async (path) => {
      const response = await service().get(path)
      expect(response.status).toBe(404)
      expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8')
      expect(jsonOf(response)).toMatchObject({ code: 'route_not_found', status: 404 })
    },
  )

  it.each(['/', '/api/docs', '/docs/api/errors'])(
    'serves the page %s with a policy that lets nothing in from elsewhere',
    async (path) => {
      const { status, headers, body } = await service().get(path)
      expect(status).toBe(200)
      expect(headers['content-type']).toContain('text/html')
      expect(headers['content-security-policy']).toContain("script-src 'self'")
      expect(headers['content-security-policy']).not.toContain('unsafe')
      expect(headers['x-powered-by']).toBeUndefined()
      // Links may lead elsewhere, such as the canonical address; nothing is loaded from there.
      expect(body.toString()).not.toMatch(/<(?!a |link rel="canonical")[a-z]+ [^>]*(?:src|href)="https?:/)
    },
  )

  it.each([
    'Host: a.example\r\nHost: b.example',
    'Host: a.example\r\nhOST: a.example',
    'Host: a b',
    'Host: http://a/b',
    'X-Nothing: at all',
  ])('refuses a request with "%s", on every path', async (host) => {
    for (const path of ['/api/version.json', '/api/nothing.json', '/healthz']) {
      const bytes = `GET ${path} HTTP/1.1\r\n${host}\r\nConnection: close\r\n\r\n`
      expect((await sendRaw(service().baseUrl, bytes)).status).toBe(400)
    }
  })

  it('answers a request with any valid host', async () => {
    for (const Host of ['[::1]:3000', 'xn--bcher-kva.example:80', '', '127.0.0.1']) {
      const { status } = await sendRaw(service().baseUrl, rawRequest('GET', '/api/version.json', { Host }))
      expect(status).toBe(200)
    }
  })

  it('answers a request line with an absolute URL, as sent to a proxy', async () => {
    for (const path of ['/api/version.json', '/healthz', '/api/version.json?a=http://b/', '?a=/b']) {
      const { status } = await sendRaw(service().baseUrl, rawRequest('GET', `http://localhost${path}`))
      expect(status, path).toBe(200)
    }
  })

  it('refuses an HTTP/1.1 request without a host', async () => {
    const refused = await sendRaw(service().baseUrl, 'GET /healthz HTTP/1.1\r\n\r\n')
    expect(refused.status).toBe(400)
    expect(refused.body).toContain('"code":"bad_host"')
    const taken = await sendRaw(service().baseUrl, 'GET /healthz HTTP/1.0\r\n\r\n')
    expect(taken.status).toBe(200)
  })

  it('answers requests with an unknown Expect header', async () => {
    const bytes = rawRequest('GET', '/api/nothing', { Expect: 'tea' })
    const { status, body } = await sendRaw(service().baseUrl, bytes)
    expect(status).toBe(404)
    expect(JSON.parse(body)).toMatchObject({ code: 'route_not_found' })
  })

  const head = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n'
  const chunked = 'POST /sparql HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n'
  it.for<[string, string, number, string]>([
    ['a header that is none', `${head}Tea\r\n\r\n`, 400, 'malformed_request'],
    ['a method that is none', rawRequest('TEA', '/healthz'), 400, 'malformed_request'],
    ['a chunk without a size', `${chunked}\r\nTea\r\n\r\n`, 400, 'malformed_request'],
    ['other bytes', '\u0016\u0003\u0001\0', 400, 'malformed_request'],
    ['a long path', rawRequest('GET', `/${'x'.repeat(20_000)}`), 431, 'head_too_large'],
  ])('names the fault of a request of %s', async ([, bytes, status, code]) => {
    const answer = await sendRaw(service().baseUrl, bytes)
    expect(answer).toMatchObject({ status })
    expect(answer.head).toContain('Content-Type: application/problem+json')
    const { request_id, ...problem } = z.looseObject({}).parse(JSON.parse(answer.body))
    expect(problem).toMatchObject({ code, status })
    expect(answer.head).toContain(`X-Request-Id: ${z.uuid().parse(request_id)}`)
  })

  it('answers pipelined requests one at a time and in order', async () => {
    const paths = ['/healthz', '/api/nothing', '/api/openapi.json', '/api/version.json', '/readyz']
    const requests = paths.map((path) => rawRequest('GET', path))
    const bytes = requests.join('').replaceAll(/Connection: close\r\n/gi, '')
    const { head, body } = await sendRaw(service().baseUrl, `${bytes}${rawRequest('GET', '/api')}`)
    const answers = `${head}\r\n\r\n${body}`
    const statuses = [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
    expect(statuses).toEqual([200, 404, 200, 200, 200, 404])
  })

  it('prepares no answers for a client that does not read or has disconnected', async () => {
    const size = (await service().get('/api/openapi.json')).body.length
    const held = (): number => process.memoryUsage().external
    const before = held()
    const socket = connect(Number(new URL(service().baseUrl).port), '127.0.0.1').pause()
    socket.write('GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(300))
    await setTimeout(1500)
    expect(held() - before).toBeLessThan(50 * size)
    socket.destroy()
  })

  it('cuts off a client that sends too many pipelined requests', async () => {
    const socket = connect(Number(new URL(service().baseUrl).port), '127.0.0.1').pause()
    // Some are told of it by a reset, which is an error of the socket.
    socket.on('error', () => undefined)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.write('GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(50_000))
    socket.resume()
    await closed
    expect((await service().get('/readyz')).status).toBe(200)
  })

  it('keeps idle connections longer than a load balancer does', async () => {
    const { headers } = await service().get('/api/version.json')
    expect(headers['keep-alive']).toBe('timeout=75')
  })

  it.each(['/', '/healthz', '/api/docs', '/api/openapi.json'])(
    'refuses writes to %s and names the allowed methods',
    async (path) => {
      const response = await service().get(path, { method: 'POST' })
      expect(response.status).toBe(405)
      expect(response.headers.allow).toBe('GET, HEAD')
      expect(jsonOf(response)).toMatchObject({ code: 'method_not_allowed' })
    },
  )
})

describe('The OpenAPI document', () => {
  it('is valid OpenAPI 3.1 and open to browsers of any origin', async () => {
    const response = await service().get('/api/openapi.json')
    const { valid, errors } = await new Validator().validate(z.looseObject({}).parse(jsonOf(response)))
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined })
    expect(response.headers['access-control-allow-origin']).toBe('*')
  })

  it('lists every view once, with operation ids of their own', async () => {
    const { openapi, paths } = document.parse(jsonOf(await service().get('/api/openapi.json')))
    expect(openapi).toBe('3.1.0')
    const views = Object.entries(paths).filter(([, { get }]) => get?.tags.includes('Ontology') === true)
    const expected = [
      ...VIEWS.flatMap(({ path }) => [path, `/releases/{version}${path}`]),
      ...FILES.map(({ path }) => path),
      ...FILE_NAMES.map((name) => `/ontologies/d3fend/{version}/${name}`),
      '/ontologies/current',
      '/ontologies/d3fend',
      '/ontologies/d3fend/{version}',
    ]
    expect(views.map(([path]) => path).sort()).toEqual(expected.sort())
    const ids = Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId))
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('is compressed for clients that accept it', async () => {
    const headers = { 'Accept-Encoding': 'gzip' }
    const [packed, whole] = [
      await service().get('/api/openapi.json', { headers }),
      await service().get('/api/openapi.json'),
    ]
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
    expect(whole.headers).not.toHaveProperty('content-encoding')
    expect(gunzipSync(packed.body)).toEqual(whole.body)
  })

  it('refers only to schemas that it holds', async () => {
    const response = await service().get('/api/openapi.json')
    const { components } = document.parse(jsonOf(response))
    const references = response.body.toString().matchAll(/#\/components\/schemas\/([^"]+)/g)
    for (const [, name = ''] of references) expect(components.schemas).toHaveProperty(name)
  })
})

describe('An app that drains', () => {
  it('is not ready any more but still answers', async () => {
    service().drain()
    expect((await service().get('/readyz')).status).toBe(503)
    expect((await service().get('/api/version.json')).status).toBe(200)
  })
})
