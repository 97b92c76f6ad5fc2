// @module-tag node

import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { jsonOf, starterService, type TestService } from '../support/service.ts'

const MATRIX = '/api/matrix.json'
const CSV = '/api/ontology/inference/onto-full-mappings.csv'

const service = starterService()

describe('The mappings of a catalog', () => {
  const CATALOG = '/api/mappings/cci.2022-04-05'

  it.each([
    ['csv', 'text/csv; charset=utf-8; header=present'],
    ['tsv', 'text/tab-separated-values; charset=utf-8'],
    ['json', 'application/json; charset=utf-8'],
  ])('are sent as %s, which is what the extension says, unless Accept refuses that', async (extension, type) => {
    const get = (accept: string): ReturnType<TestService['get']> =>
      service().get(`${CATALOG}.${extension}`, { headers: { accept } })
    for (const accept of ['*/*', type.replace(/;.*/, ''), '*/*']) {
      const { status, headers } = await get(accept)
      expect([status, headers['content-type']]).toEqual([200, type])
    }
    const refused = await get(`${type.replace(/;.*/, '')};q=0`)
    expect(refused.status).toBe(406)
  })

  it('of an unknown version are refused with the nearest names', async () => {
    const answer = await service().get('/api/mappings/nist.6.csv')
    expect(answer.status).toBe(404)
    expect(jsonOf(answer)).toMatchObject({ code: 'subject_not_found', did_you_mean: ['nist.5'] })
  })
})

describe('An ontology GET', () => {
  it('answers JSON that browsers of any origin may read', async () => {
    const { status, headers, body } = await service().get(MATRIX)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(body.length),
      'access-control-allow-origin': '*',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      vary: 'Accept-Encoding',
    })
    expect(headers['content-encoding']).toBeUndefined()
    expect(headers.etag).toMatch(/^"[0-9a-f]{32}"$/)
  })

  it.each([
    ['gzip', 'gzip', gunzipSync],
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['br;q=0.5, gzip;q=0.8', 'gzip', gunzipSync],
    ['*', 'br', brotliDecompressSync],
  ])('sends what "Accept-Encoding: %s" prefers, the same content in each coding', async (header, coding, unpack) => {
    const identity = await service().get(MATRIX)
    const packed = await service().get(MATRIX, { headers: { 'accept-encoding': header } })
    expect(packed.headers['content-encoding']).toBe(coding)
    expect(packed.headers['content-length']).toBe(String(packed.body.length))
    expect(unpack(packed.body).equals(identity.body)).toBe(true)
    expect(packed.headers.etag).not.toBe(identity.headers.etag)
  })

  it.each(['identity', '', 'compress', 'gzip;q=0, br;q=0'])(
    'sends identity for "Accept-Encoding: %s"',
    async (header) => {
      const { headers, body } = await service().get(MATRIX, { headers: { 'accept-encoding': header } })
      expect(headers['content-encoding']).toBeUndefined()
      expect(body.subarray(0, 1).toString()).toBe('[')
    },
  )

  it.each(['identity', 'gzip', 'br'])('answers 304 to its own tag in %s', async (coding) => {
    const first = await service().get(MATRIX, { headers: { 'accept-encoding': coding } })
    const etag = first.headers.etag ?? ''
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const headers = { 'accept-encoding': coding, 'if-none-match': tag }
      const second = await service().get(MATRIX, { headers })
      expect(second.status).toBe(304)
      expect(second.body).toHaveLength(0)
      expect(second.headers.etag).toBe(etag)
    }
  })

  it('answers 200 to the tag of another coding', async () => {
    const gzip = await service().get(MATRIX, { headers: { 'accept-encoding': 'gzip' } })
    const { status } = await service().get(MATRIX, {
      headers: { 'accept-encoding': 'br', 'if-none-match': gzip.headers.etag ?? '' },
    })
    expect(status).toBe(200)
  })

  it('ignores a query string', async () => {
    const plain = await service().get(MATRIX)
    const queried = await service().get(`${MATRIX}?cache=bust`)
    expect(queried.body.equals(plain.body)).toBe(true)
  })

  it('finds a subject however its name is spelt', async () => {
    const spellings = [
      'd3f:FileAnalysis',
      'd3f%3AFileAnalysis',
      'd3f%3aFileAnalysis',
      encodeURIComponent('http://d3fend.mitre.org/ontologies/d3fend.owl#FileAnalysis'),
      encodeURIComponent(encodeURIComponent('http://d3fend.mitre.org/ontologies/d3fend.owl#FileAnalysis')),
    ]
    for (const family of ['technique', 'dao/artifact', 'ontology/describe', 'ontology/describe/inbound']) {
      const answers = await Promise.all(spellings.map((name) => service().get(`/api/${family}/${name}.json`)))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
      expect(new Set(answers.map(({ body }) => body.toString()))).toHaveLength(1)
    }
  })

  it('describes the node of the ontology, whose IRI has no prefix', async () => {
    const iri = 'http://d3fend.mitre.org/ontologies/d3fend.owl'
    const { status, body } = await service().get(`/api/ontology/describe/${encodeURIComponent(iri)}.json`)
    expect(status).toBe(200)
    expect(body.toString()).toContain(`"@id":"${iri}"`)
  })
})

describe('HEAD', () => {
  it('has the headers of GET and no body', async () => {
    const headers = { 'accept-encoding': 'gzip' }
    const get = await service().get(MATRIX, { headers })
    const head = await service().get(MATRIX, { method: 'HEAD', headers })
    expect(head.status).toBe(200)
    expect({ ...head.headers, date: '' }).toEqual({ ...get.headers, date: '' })
    expect(head.body).toHaveLength(0)
  })
})

describe('Other methods', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s returns a 405 problem with the allowed methods', async (method) => {
    const response = await service().get(MATRIX, { method })
    expect(response.status).toBe(405)
    expect(response.headers.allow).toBe('GET, HEAD, OPTIONS')
    expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(jsonOf(response)).toMatchObject({ status: 405, code: 'method_not_allowed' })
  })

  it('OPTIONS answers a cross-origin preflight', async () => {
    const { status, headers } = await service().get(MATRIX, { method: 'OPTIONS' })
    expect(status).toBe(204)
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(headers['access-control-allow-methods']).toBe('GET, HEAD, OPTIONS')
  })
})

describe('The CSV of all mappings', () => {
  it.each([undefined, '*/*', 'text/csv', 'application/json, text/plain, */*', 'application/json;q=0'])(
    'is CSV for "Accept: %s"',
    async (accept) => {
      const headers: Record<string, string> = accept === undefined ? {} : { accept }
      const response = await service().get(CSV, { headers })
      expect(response.headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
      expect(response.headers.vary).toBe('Accept-Encoding, Accept')
      expect(response.body.toString()).toMatch(/^query_def_tech_label,.*,off_tactic\r\n/)
    },
  )

  it.each(['application/json', 'application/json, text/csv;q=0.1', 'text/csv;q=0'])(
    'is JSON for "Accept: %s"',
    async (accept) => {
      const response = await service().get(CSV, { headers: { accept } })
      const json = await service().get(CSV.replace('.csv', '.json'))
      expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
      expect(response.headers.vary).toBe('Accept-Encoding, Accept')
      expect(response.body.equals(json.body)).toBe(true)
    },
  )

  it.each(['.csv', '.json'])('has the name of D3FEND as well: %s', async (extension) => {
    const path = CSV.replace('.csv', extension)
    const alias = path.replace('onto-', 'd3fend-')
    for (const prefix of ['', '/releases/0.1.0-starter']) {
      const original = await service().get(prefix + path)
      const { status, headers, body } = await service().get(prefix + alias)
      expect(status).toBe(200)
      expect({ ...headers, date: '' }).toEqual({ ...original.headers, date: '' })
      expect(body.equals(original.body)).toBe(true)
      const conditions = { headers: { 'if-none-match': headers.etag ?? '' } }
      expect((await service().get(prefix + alias, conditions)).status).toBe(304)
      const head = await service().get(prefix + alias, { method: 'HEAD' })
      expect({ ...head.headers, date: '' }).toEqual({ ...headers, date: '' })
    }
    const json = { headers: { accept: 'application/json' } }
    const type = (await service().get(alias, json)).headers['content-type']
    expect(type).toBe('application/json; charset=utf-8')
  })
})

describe('An answer that is not acceptable', () => {
  it.each([
    [MATRIX, { accept: 'application/json;q=0' }],
    [MATRIX, { accept: '*/*;q=0.0' }],
    [MATRIX, { 'accept-encoding': '*;q=0' }],
    [MATRIX, { 'accept-encoding': 'identity;q=0, deflate' }],
    [CSV, { accept: 'application/json;q=0, text/csv;q=0' }],
  ])('is not sent: %s, %o', async (path, headers) => {
    const refused = await service().get(path, { headers })
    expect(refused.status).toBe(406)
    expect(jsonOf(refused)).toMatchObject({ code: 'not_acceptable' })
  })

  it.each(['text/html', 'text/html,*/*;q=0.8', 'image/png', 'text/csv, application/json;q=0.1', ''])(
    'is returned only for explicit refusals: %s gets the JSON',
    async (accept) => {
      expect((await service().get(MATRIX, { headers: { accept } })).status).toBe(200)
    },
  )
})

describe('An unknown name', () => {
  it.each([
    ['/api/technique/FileAnalysis.json', 'd3f:FileAnalysis'],
    ['/api/technique/file%20analysis.json', 'd3f:FileAnalysis'],
    ['/api/technique/d3f:FileAnalysys.json', 'd3f:FileAnalysis'],
    ['/api/technique/D3-FA.json', 'd3f:FileAnalysis'],
    ['/api/offensive-technique/attack/t1003.json', 'T1003'],
    ['/api/offensive-technique/attack/T1003/001.json', 'T1003.001'],
    ['/api/weakness/cwe/79.json', 'CWE-79'],
    ['/api/weakness/cwe/80.json', 'CWE-20'],
    ['/api/dao/artifact/Credential.json', 'd3f:Credential'],
    ['/api/tactic/detect.json', 'd3f:Detect'],
    ['/api/ontology/describe/FileAnalysis.json', 'd3f:FileAnalysis'],
  ])('%s is a 404 problem that suggests %s, never a redirect', async (path, meant) => {
    const response = await service().get(path)
    expect(response.status).toBe(404)
    expect(response.headers.location).toBeUndefined()
    expect(response.headers['access-control-allow-origin']).toBe('*')
    expect(jsonOf(response)).toMatchObject({ code: 'subject_not_found', status: 404 })
    expect(jsonOf(response)).toHaveProperty('did_you_mean.0', meant)
  })
})

describe('Hostile paths', () => {
  it.each([
    ['/api/technique/..%2F..%2Fetc%2Fpasswd.json', 404, 'subject_not_found'],
    ['/api/technique/../../../etc/passwd.json', 404, 'subject_not_found'],
    ['/api/technique/%00.json', 400, 'bad_path'],
    ['/api/technique/d3f:File%0AAnalysis.json', 400, 'bad_path'],
    ['/api/technique/%E0%A4%A.json', 400, 'bad_path'],
    ['/api/technique/%zz.json', 400, 'bad_path'],
    [`/api/technique/${'a'.repeat(5000)}.json`, 414, 'identifier_too_long'],
    [`/api/ontology/describe/${'%E2%82%AC'.repeat(400)}x.json`, 404, 'subject_not_found'],
    ['/api/technique/__proto__.json', 404, 'subject_not_found'],
    ['/api/technique/constructor.json', 404, 'subject_not_found'],
    ['/api/ontology/describe/d3f:X%3E%20%7D%20%3Fs%20%3Fp%20%3Fo.json', 404, 'subject_not_found'],
    ['/api/technique/.json', 404, 'route_not_found'],
    ['/api/technique/', 404, 'route_not_found'],
    ['/releases/..%2F..%2Fvar/api/matrix.json', 404, 'release_not_found'],
    ['/releases/9.9.9/api/matrix.json', 404, 'release_not_found'],
  ])('%s is refused with %i %s', async (path, status, code) => {
    const response = await service().get(path)
    expect(response.status).toBe(status)
    expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(jsonOf(response)).toMatchObject({ status, code, type: `/docs/api/errors#${code}` })
  })
})

describe('A pinned release', () => {
  it('answers the same bytes and may be cached permanently', async () => {
    const current = await service().get(MATRIX)
    const pinned = await service().get(`/releases/0.1.0-starter${MATRIX}`)
    expect(pinned.status).toBe(200)
    expect(pinned.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(pinned.headers.etag).toBe(current.headers.etag)
    expect(pinned.body.equals(current.body)).toBe(true)
  })
})

describe('Simultaneous requests', () => {
  it('get one answer, rendered once', async () => {
    const path = '/api/technique/d3f:NetworkTrafficAnalysis.json'
    const answers = await Promise.all(Array.from({ length: 50 }, () => service().get(path)))
    expect(new Set(answers.map(({ status, headers }) => `${status} ${headers.etag ?? ''}`))).toHaveLength(1)
  })
})
