// @module-tag node

import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readDocument, type SourceDocument } from '../../../src/ontology/ingest/read.ts'
import type { Refusal } from '../../../src/platform/errors.ts'
import { refusalOf } from '../../support/refusal.ts'
import { startServer } from '../../support/server.ts'

const TURTLE = '<a:s> <a:p> "o" .\n'
const LIMITS = { maxBytes: 64 * 1024, timeoutMs: 5000 }

function read(url: string, limits = LIMITS): Promise<SourceDocument> {
  return readDocument(url, limits, () => undefined)
}

function rejected(url: string, limits = LIMITS): Promise<Refusal> {
  return refusalOf(() => read(url, limits))
}

describe('readDocument of a URL', () => {
  it('returns the content and the media type of the server', async () => {
    const base = await startServer((_, response) => {
      response.setHeader('content-type', 'text/turtle; charset=utf-8').end(TURTLE)
    })
    const document = await read(`${base}/onto`)
    expect(Buffer.from(document.content).toString()).toBe(TURTLE)
    expect(document).toMatchObject({
      name: `${base}/onto`,
      contentType: 'text/turtle; charset=utf-8',
      bytes: TURTLE.length,
    })
  })

  it('requests RDF', async () => {
    const asked: (string | undefined)[] = []
    const base = await startServer((request, response) => {
      asked.push(request.method, request.headers.accept)
      response.end(TURTLE)
    })
    await read(base)
    expect(asked[0]).toBe('GET')
    expect(asked[1]).toMatch(/^text\/turtle, .*\*\/\*;q=0\.1$/)
  })

  it('follows redirects', async () => {
    const base = await startServer((request, response) => {
      if (request.url === '/new') response.end(TURTLE)
      else response.writeHead(302, { location: '/new' }).end()
    })
    expect((await read(`${base}/old`)).bytes).toBe(TURTLE.length)
  })

  it.each([
    ['as a file', {}],
    ['as a content coding', { 'content-encoding': 'gzip' }],
  ])('unpacks gzip that comes %s', async (_, headers) => {
    const base = await startServer((_request, response) => {
      response.writeHead(200, headers).end(gzipSync(TURTLE))
    })
    expect(Buffer.from((await read(`${base}/onto.ttl.gz`)).content).toString()).toBe(TURTLE)
  })
})

describe('readDocument of a URL refuses', () => {
  it.each([404, 500, 503])('the answer %i', async (status) => {
    const base = await startServer((_, response) => {
      response.writeHead(status).end('sorry')
    })
    const refusal = await rejected(`${base}/onto.ttl`)
    expect(refusal.code).toBe('source_unreachable')
    expect(refusal.message).toBe(`${base}/onto.ttl: the server answered ${status}.`)
  })

  it('a server that never answers, within the time', async () => {
    const base = await startServer(() => undefined)
    const started = Date.now()
    const refusal = await rejected(base, { ...LIMITS, timeoutMs: 150 })
    expect(refusal.code).toBe('source_unreachable')
    expect(refusal.message).toContain('not delivered within 0.15 s (--timeout)')
    expect(Date.now() - started).toBeLessThan(2000)
  })

  it('a server that stops in the middle, within the time', async () => {
    const base = await startServer((_, response) => {
      response.write(TURTLE)
    })
    const refusal = await rejected(base, { ...LIMITS, timeoutMs: 150 })
    expect(refusal.code).toBe('source_unreachable')
    expect(refusal.message).toContain('not delivered within 0.15 s')
  })

  it('a server that hangs up in the middle', async () => {
    const base = await startServer((_, response) => {
      response.writeHead(200, { 'content-length': 1000 })
      response.write(TURTLE, () => response.destroy())
    })
    const refusal = await rejected(base)
    expect(refusal.code).toBe('source_unreachable')
    expect(refusal.message).toMatch(/^http:\/\/127\.0\.0\.1:\d+: \S.*\.$/)
  })

  it('a server that is not there', async () => {
    const server = await startServer(() => undefined)
    const refusal = await rejected(server.replace(/:\d+$/, ':1'))
    expect(refusal.code).toBe('source_unreachable')
  })

  it('an answer without end as soon as it is larger than the limit', async () => {
    let sent = 0
    const base = await startServer((request, response) => {
      const chunk = Buffer.alloc(16 * 1024, '#')
      const writeChunk = (): void => {
        sent += chunk.length
        if (!request.destroyed && sent < 512 * LIMITS.maxBytes) response.write(chunk, writeChunk)
      }
      writeChunk()
    })
    const refusal = await rejected(`${base}/endless.ttl`)
    expect(refusal.code).toBe('source_too_large')
    expect(sent).toBeLessThan(256 * LIMITS.maxBytes)
  })

  it('a body that unpacks to more than the limit', async () => {
    const base = await startServer((_, response) => {
      response.end(gzipSync(Buffer.alloc(LIMITS.maxBytes * 4)))
    })
    expect((await rejected(`${base}/bomb.ttl.gz`)).code).toBe('source_too_large')
  })
})
