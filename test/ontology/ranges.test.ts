import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { jsonOf, starterService, type RawResponse } from '../support/service.ts'

const service = starterService()

const FILE = '/ontologies/current/d3fend.nt'

function get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<RawResponse> {
  return service().get(path, { headers })
}

/** The file that holds the graph. */
async function graphPath(): Promise<string> {
  const manifest = jsonOf(await get('/releases/0.1.0-starter/manifest.json'))
  return `/releases/0.1.0-starter/${z.object({ graphFile: z.string() }).parse(manifest).graphFile}`
}

describe('A file of the ontology', () => {
  it.each([
    ['from memory, unpacked on the way', () => Promise.resolve(FILE), {}],
    ['in brotli', () => Promise.resolve(FILE), { 'accept-encoding': 'br' }],
    ['from the disk', graphPath, {}],
  ])('can be had in parts: %s', async (_, pathOf, headers) => {
    const path = await pathOf()
    const whole = await get(path, headers)
    expect([whole.status, whole.headers['accept-ranges']]).toEqual([200, 'bytes'])
    const size = whole.body.length
    const middle = Math.floor(size / 2)
    for (const [range, start, end] of [
      ['0-0', 0, 0],
      [`${middle}-${middle + 99}`, middle, middle + 99],
      [`${middle}-`, middle, size - 1],
      ['-7', size - 7, size - 1],
      [`3-${size + 1000}`, 3, size - 1],
    ] as const) {
      const part = await get(path, { ...headers, range: `bytes=${range}` })
      const { etag, 'content-length': length, 'content-range': contentRange } = part.headers
      expect([part.status, contentRange, etag, Number(length)]).toEqual([
        206,
        `bytes ${start}-${end}/${size}`,
        whole.headers.etag,
        end - start + 1,
      ])
      expect(part.body.equals(whole.body.subarray(start, end + 1))).toBe(true)
      expect(part.headers['access-control-expose-headers']).toBe('ETag, Content-Range')
    }
  })

  it('states its length if a range begins behind its end', async () => {
    const size = (await get(FILE)).body.length
    const { status, headers, body } = await get(FILE, { range: `bytes=${size}-` })
    expect([status, headers['content-range']]).toEqual([416, `bytes */${size}`])
    expect(body.toString()).toContain('range_not_satisfiable')
  })

  const long = `bytes=${'0'.repeat(200)}-1`
  it.each(['bytes=0-1,5-6', 'lines=1-2', 'bytes=x', 'bytes', 'bytes=9-3', `bytes=${'0-1,'.repeat(500)}`, long])(
    'is sent whole for other ranges: %s',
    async (range) => {
      const { status, headers } = await get(FILE, { range })
      expect([status, headers['content-range']]).toEqual([200, undefined])
    },
  )

  it('is sent whole if it has changed, and not at all if it is known', async () => {
    const { etag = '' } = (await get(FILE)).headers
    const range = 'bytes=0-9'
    expect((await get(FILE, { range, 'if-range': etag })).status).toBe(206)
    expect((await get(FILE, { range, 'if-range': '"another"' })).status).toBe(200)
    expect((await get(FILE, { range, 'if-range': `W/${etag}` })).status).toBe(200)
    expect((await get(FILE, { range, 'if-range': new Date().toUTCString() })).status).toBe(200)
    expect((await get(FILE, { range, 'if-none-match': etag })).status).toBe(304)
    const head = await service().get(FILE, { method: 'HEAD', headers: { range } })
    expect([head.status, head.headers['content-range']]).toEqual([200, undefined])
  })

  it('has ranges; lists and records do not', async () => {
    const { status, headers } = await get('/api/version.json', { range: 'bytes=0-1' })
    expect([status, headers['accept-ranges']]).toEqual([200, undefined])
  })
})
