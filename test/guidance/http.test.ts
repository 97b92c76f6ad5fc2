import { Writable } from 'node:stream'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { pino } from 'pino'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { CallMaker, titledCalls, type Call, type Caller } from '../support/calls.ts'
import { setRows } from '../support/guidance-records.ts'
import { guidanceService } from '../support/guidance.ts'
import { rawRequest, sendRaw } from '../support/raw-request.ts'
import type { RawResponse } from '../support/service.ts'

const logLine = z.object({
  request_id: z.string(),
  err: z.object({ type: z.string(), stack: z.string() }),
  method: z.string(),
  path: z.string(),
})

const guidance = guidanceService()

let maker: CallMaker
let admin: Caller

beforeAll(async () => {
  maker = new CallMaker(guidance())
  admin = await maker.session(true)
})

describe('A body', () => {
  const login = (body: string, type = 'application/json') =>
    guidance().nobody.call('POST', '/api/auth/login', { body, headers: { 'Content-Type': type } })

  it('that is not JSON is refused with the position, and is never repeated', async () => {
    const { status, body } = await login('{"password":"hunter2" x}')
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 'malformed_json' } })
    expect(JSON.stringify(body)).toMatch(/position 22/)
    expect(JSON.stringify(body)).not.toContain('hunter2')
  })

  it('that is not UTF-8 is refused with the position, instead of being stored with other characters', async () => {
    const send = async (encoding: BufferEncoding): Promise<[number, string]> => {
      const answer = await fetch(`${guidance().service.baseUrl}/api/auth/login`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: new Uint8Array(Buffer.from('{"email":"Ren\u00e9","password":"x"}', encoding)),
      })
      return [answer.status, await answer.text()]
    }
    const [status, text] = await send('latin1')
    expect([status, text]).toEqual([400, expect.stringMatching(/malformed_json.*position 13/s)])
    expect((await send('utf8'))[0]).toBe(401)
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/problem+json',
    'x',
  ])('of the type %s is refused', async (type) => {
    const { status, body } = await login('{}', type)
    expect({ status, body }).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } })
  })

  it('that is too large is refused, whether or not it says how large it is', async () => {
    const path = `${guidance().service.baseUrl}/api/auth/login`
    const large = JSON.stringify({ email: 'x'.repeat(1_100_000) })
    const pieces = new ReadableStream({
      start: (controller) => {
        controller.enqueue(Buffer.from(large))
        controller.close()
      },
    })
    for (const body of [large, pieces]) {
      const headers = { 'Content-Type': 'application/json' }
      const answer = await fetch(path, { method: 'POST', headers, body, duplex: 'half' })
      expect(answer.status).toBe(413)
      expect(await answer.json()).toMatchObject({ code: 'body_too_large', status: 413 })
    }
  })

  it('is refused before validation if it has too many values', async () => {
    const values = `[${'1,'.repeat(20_000)}1]`
    const { status, body } = await login(`{"email":${values}}`)
    expect({ status, body }).toMatchObject({ status: 413, body: { code: 'body_too_large' } })
  })

  it.each([
    [33, 400],
    [32, 401],
  ])('of %i levels gets %i', async (levels, status) => {
    const inside = '['.repeat(levels - 1) + ']'.repeat(levels - 1)
    expect((await login(`{"email":${inside}}`)).status).toBe(status)
  })

  it('that is missing is named', async () => {
    for (const body of [undefined, 'null']) {
      const answer = await admin.client.call('POST', '/projects', { body })
      expect(answer).toMatchObject({ status: 400, body: { code: 'parameter_missing' } })
    }
  })

  it('is ignored for operations without a body', async () => {
    const headers = { 'Content-Type': 'text/plain' }
    const { status } = await guidance().nobody.call('POST', '/consent/acknowledge', { body: '{', headers })
    expect(status).toBe(200)
  })
})

/** Browsers are shown a page there. */
const PAGES = new Set(['/users/password/edit', '/users/confirmation', '/users/unlock'])

describe('A path', () => {
  it.each(['/nothing', '/api/nothing', '/projects/1/nothing', '/api/auth', '/API/settings'])(
    '%s that does not exist gets a 404 problem',
    async (path) => {
      for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
        const { status, body } = await admin.client.call(method, path)
        expect(status).toBe(404)
        expect(body).toMatchObject({ code: 'route_not_found' })
      }
    },
  )

  it('lists its methods, and answers all others with 405', async () => {
    const allowed = new Map<string, string[]>()
    for (const [, { method, path }] of titledCalls()) allowed.set(path, [...(allowed.get(path) ?? []), method])
    for (const [path, methods] of allowed) {
      const address = path.replaceAll(/\{\w+\}/g, '1')
      const known = new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND']) {
        if (known.has(method)) continue
        const { status, headers, body } = await admin.client.call(method, address)
        expect([method, path, status]).toEqual([method, path, 405])
        expect(body).toMatchObject({ code: 'method_not_allowed' })
        expect(new Set(headers.allow?.split(', '))).toEqual(known)
      }
      if (PAGES.has(path)) continue
      const options = await guidance().service.get(address, { method: 'OPTIONS' })
      expect(options.status).toBe(204)
      expect(new Set(options.headers.allow?.split(', '))).toEqual(known)
      expect([path, options.headers[METHODS]]).toEqual([path, preflightOf(options.headers)])
    }
  })

  it.each(['/api/settings', '/api/version', '/api/auth/me', '/projects'])(
    '%s answers HEAD with the headers of GET and no body',
    async (path) => {
      const get = await guidance().service.get(path)
      const head = await guidance().service.get(path, { method: 'HEAD' })
      expect(head.status).toBe(get.status)
      expect(head.body.length).toBe(0)
      expect(head.headers['content-type']).toBe(get.headers['content-type'])
      expect(head.headers['cache-control']).toBe('no-store')
    },
  )
})

const ORIGIN = 'access-control-allow-origin'
const METHODS = 'access-control-allow-methods'

/** The methods that pages of other origins may use; undefined where none may ask. */
function preflightOf(headers: RawResponse['headers']): string | undefined {
  return headers[ORIGIN] === '*' ? headers.allow : undefined
}

/** The catalogue and its links with the ontology are for any web page. */
function isOpen(call: Call): boolean {
  const { tag, operation } = maker.endpoint(call)
  const open = [
    'findRelated',
    'lookUpMany',
    'lookUpBatch',
    'listRequirementRules',
    'compareSrg',
    'compareSrgAsTable',
    'compareStig',
    'compareStigAsTable',
  ]
  const isLinked = ['Linked data', 'Open catalogue'].includes(tag) || open.includes(operation)
  return isLinked && call.authentication === 'none'
}

describe('An answer', () => {
  it('returns 304 to a client that has the public answer', async () => {
    const get = (headers: Record<string, string>): Promise<RawResponse> =>
      guidance().service.get('/ns/guidance', { headers })
    const turtle = await get({ Accept: 'text/turtle' })
    const triples = await get({ Accept: 'application/n-triples' })
    const { etag = '' } = turtle.headers
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/)
    expect(triples.headers.etag).not.toBe(etag)
    const again = await get({ Accept: 'text/turtle', 'If-None-Match': `"a", W/${etag}` })
    expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, etag])
    expect(again.headers).toMatchObject({ 'cache-control': 'no-cache', vary: 'Accept, Accept-Encoding' })
    const other = await get({ Accept: 'application/n-triples', 'If-None-Match': etag })
    expect([other.status, other.body.equals(triples.body)]).toEqual([200, true])
  })

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('for everybody is compressed for a client that accepts %s', async (coding, unpack) => {
    const get = (headers: Record<string, string>): Promise<RawResponse> =>
      guidance().service.get('/ns/guidance', { headers: { Accept: 'text/turtle', ...headers } })
    const plain = await get({})
    const packed = await get({ 'Accept-Encoding': coding })
    expect(packed.headers['content-encoding']).toBe(coding)
    expect(unpack(packed.body).equals(plain.body)).toBe(true)
    expect(packed.headers.etag).toBe(plain.headers.etag?.replace(/"$/, `-${coding}"`))
    const again = await get({ 'Accept-Encoding': coding, 'If-None-Match': packed.headers.etag ?? '' })
    expect([again.status, again.body.length]).toEqual([304, 0])
    const ownPage = await admin.client.call('GET', '/users/edit', { headers: { 'Accept-Encoding': coding } })
    expect(ownPage.headers).not.toHaveProperty('content-encoding')
  })

  it('is neither cached nor readable by other origins if it depends on the caller', async () => {
    for (const [, call] of titledCalls()) {
      if (maker.isSpending(call)) continue
      const request = await maker.request(call, admin.person)
      const sent = { ...request, headers: { Origin: 'https://evil.example' } }
      for (const client of [admin.client, guidance().nobody]) {
        const { status, headers } = await client.call(call.method, request.address, sent)
        const isKept = isOpen(call) && maker.endpoint(call).revalidates === true && status === 200
        expect([call.path, headers['cache-control']]).toEqual([call.path, isKept ? 'no-cache' : 'no-store'])
        const cors = Object.keys(headers).filter((name) => name.startsWith('access-control-'))
        expect([call.path, cors]).toEqual([call.path, isOpen(call) ? [ORIGIN] : []])
        if (isOpen(call)) expect(headers[ORIGIN]).toBe('*')
      }
    }
  })

  it('is JSON with a charset, which no browser shows as a page', async () => {
    const { headers } = await guidance().nobody.call('GET', '/api/settings')
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['x-powered-by']).toBeUndefined()
  })

  it('sets no cookie for a reader without a session', async () => {
    for (const path of ['/api/settings', '/api/auth/me', '/api/auth/csrf']) {
      const { headers } = await guidance().nobody.call('GET', path)
      expect(headers['set-cookie']).toBeUndefined()
    }
  })
})

describe('A query', () => {
  it('uses the last value of a repeated parameter', async () => {
    const page = async (query: string): Promise<unknown> => {
      const { body } = await admin.client.call('GET', `/api/projects?${query}`)
      return z.object({ pagination: z.looseObject({}) }).parse(body).pagination['per_page']
    }
    expect(await page('per_page=3&per_page=7')).toBe(7)
    expect(await page('per_page=7&per_page=abc')).toBe(25)
    expect(await page('per_page[]=7&per_page=3')).toBe(3)
  })

  it('returns 400 that names an unusable parameter', async () => {
    const { status, body } = await admin.client.call('GET', '/api/projects?q=%00')
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 'parameter_invalid', parameter: 'q' } })
  })
})

describe('A token', () => {
  it('does not keep its owner from signing in', async () => {
    const person = await maker.person()
    const token = await guidance().token(person, ['read'])
    const { email } = person
    const body = { email, password: 'Correct-Horse-42-!Staple' }
    const { status, headers } = await token.call('POST', '/api/auth/login', { body })
    expect(status).toBe(200)
    expect(headers['set-cookie']).toHaveLength(1)
  })
})

describe('A malformed HTTP request', () => {
  it.each([
    ['GET / HTTP/1.1\r\n\r\n', 400],
    ['nonsense\r\n\r\n', 400],
    [rawRequest('GET', '/api/settings', { 'Content-Length': '-1' }), 400],
    [rawRequest('GET', '/api/settings', { 'Transfer-Encoding': 'chunked, identity' }), 400],
    [rawRequest('GET', '/api/settings', { 'X-Long': 'x'.repeat(20_000) }), 431],
  ])('%j ends with %i and a closed connection', async (bytes, status) => {
    expect((await sendRaw(guidance().service.baseUrl, bytes)).status).toBe(status)
  })
})

describe('A request that Express refuses', () => {
  it.each([
    ['/assets/style.css', { Range: 'bytes=9999999-' }],
    ['/assets/style.css', { 'If-Match': '"another"' }],
    ['/assets/style.css', { 'If-Unmodified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' }],
  ])('is a problem of the caller: %s with %j', async (path, headers) => {
    const { status, body } = await guidance().nobody.call('GET', path, { headers })
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 'parameter_invalid' } })
  })
})

describe('A bug', () => {
  const lines: string[] = []
  const destination = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString())
      done()
    },
  })
  const broken = guidanceService({}, pino({ level: 'error' }, destination))

  it('goes out as one fixed sentence, and into the log with its place but not its query', async () => {
    const owner = await new CallMaker(broken()).session()
    const id = await broken().project(await broken().signIn(owner.person.email))
    await setRows(broken(), 'projects', { metadata: 'hunter2' })
    const { status, headers, body } = await owner.client.call('GET', `/projects/${id}?secret=s3cret`)
    expect({ status, body }).toEqual({
      status: 500,
      body: {
        type: '/docs/api/errors#internal_error',
        title: 'The service failed',
        status: 500,
        detail: 'Something went wrong on our side. The log has the details.',
        code: 'internal_error',
      },
    })
    expect(headers['cache-control']).toBe('no-store')
    expect(lines).toHaveLength(1)
    const { err, ...where } = logLine.parse(JSON.parse(lines[0] ?? ''))
    expect(where).toEqual({ request_id: headers['x-request-id'], method: 'GET', path: `/projects/${id}` })
    expect(err.type).toBe('SyntaxError')
    expect(err.stack).toMatch(/projects\/reader\.[jt]s/)
    expect(lines[0]).not.toContain('s3cret')
    expect(lines[0]).not.toContain(owner.headers['X-CSRF-Token'])
  })

  it('does not affect later requests', async () => {
    expect((await broken().nobody.call('GET', '/api/settings')).status).toBe(200)
  })
})
