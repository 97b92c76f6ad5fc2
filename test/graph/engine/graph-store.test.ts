import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { putGraph } from '../../../src/graph/engine/graph-store.ts'
import { refusalOf } from '../../support/refusal.ts'
import { startServer } from '../../support/server.ts'

const GRAPH = 'https://example.org/releases/1.0.0+a b'
const STATEMENT = '<a:s> <a:p> "o" .\n'
const ADA = { user: 'ada', password: 's:"ecret' }

interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly text?: string
}

interface Put {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Puts the statement into a store that answers as given, and returns the requests that arrived. */
async function putInto(reply: (put: Put, count: number) => Reply, credentials: typeof ADA | null = null) {
  const puts: Put[] = []
  const url = await startServer((request, response) => {
    void text(request).then((body) => {
      const put = { url: request.url ?? '', headers: request.headers, body }
      puts.push(put)
      const { status, headers = {}, text: answer = '' } = reply(put, puts.length)
      response.writeHead(status, headers).end(answer)
    })
  })
  const store = { url: `${url}/store`, credentials, timeoutMs: 10_000 }
  return { puts, store, put: () => putGraph(store, GRAPH, STATEMENT) }
}

function isSigned({ authorization }: IncomingHttpHeaders): boolean {
  return authorization !== undefined
}

/** The parameters of an Authorization header, without quotes and escapes. */
function parametersOf(header = ''): Readonly<Record<string, string>> {
  const matches = header.matchAll(/(\w+)=(?:"((?:[^"\\]|\\.)*)"|([\w-]+))/g)
  return Object.fromEntries(
    Array.from(matches, ([, name = '', quoted, plain = '']) => [name, (quoted ?? plain).replaceAll(/\\(.)/g, '$1')]),
  )
}

describe('A graph store', () => {
  it('gets the statements as N-Triples, and the name of their graph', async () => {
    const { puts, put } = await putInto(() => ({ status: 204 }))
    await put()
    expect(puts).toMatchObject([{ headers: { 'content-type': 'application/n-triples' }, body: STATEMENT }])
    expect(new URL(puts[0]?.url ?? '', 'http://a').searchParams.get('graph')).toBe(GRAPH)
  })

  it('gets them as Turtle if it does not accept N-Triples', async () => {
    const { puts, put } = await putInto(({ headers }) => ({
      status: headers['content-type'] === 'text/turtle' ? 201 : 415,
    }))
    await put()
    expect(puts.map(({ headers, body }) => [headers['content-type'], body])).toEqual([
      ['application/n-triples', STATEMENT],
      ['text/turtle', STATEMENT],
    ])
  })

  it('is asked again while it is overloaded', async () => {
    const { puts, put } = await putInto((_put, count) => ({ status: count === 1 ? 503 : 200 }))
    await put()
    expect(puts).toHaveLength(2)
  })

  it('refuses for good with a status and the beginning of its answer', async () => {
    const { puts, put, store } = await putInto(() => ({ status: 403, text: `Not\n  you ${'x'.repeat(400)}` }))
    const { code, message } = await refusalOf(put)
    expect([code, message]).toEqual(['push_refused', `${store.url} answered with 403: Not you ${'x'.repeat(292)}`])
    expect(puts).toHaveLength(1)
  })

  it('gets a name and a password if it asks for them, and the statements only once', async () => {
    const challenge = { status: 401, headers: { 'WWW-Authenticate': 'Basic realm="store"' } }
    const { puts, put } = await putInto(({ headers }) => (isSigned(headers) ? { status: 200 } : challenge), ADA)
    await put()
    expect(puts.map(({ headers, body }) => [headers.authorization, body])).toEqual([
      [undefined, ''],
      [`Basic ${Buffer.from(`${ADA.user}:${ADA.password}`).toString('base64')}`, STATEMENT],
    ])
  })

  it.each([
    ['MD5 without protection', 'md5', 'realm="a \\"store\\"", nonce=n1'],
    ['MD5', 'md5', 'realm="a \\"store\\"", nonce="n1", qop="auth", opaque="o"'],
    ['SHA-256', 'sha256', 'realm="a \\"store\\"", nonce="n1", qop="auth", algorithm=SHA-256'],
  ])('gets a digest of them by %s (RFC 7616)', async (_name, algorithm, parameters) => {
    const challenge = { status: 401, headers: { 'WWW-Authenticate': `Digest ${parameters}` } }
    const { puts, put } = await putInto(({ headers }) => (isSigned(headers) ? { status: 200 } : challenge), ADA)
    await put()
    const [, second] = puts
    const sent = parametersOf(second?.headers.authorization)
    const hash = (part: string): string => createHash(algorithm).update(part).digest('hex')
    const secrets = [hash(`ada:${sent['realm']}:${ADA.password}`), hash(`PUT:${second?.url}`)]
    const between = sent['qop'] === undefined ? ['n1'] : ['n1', sent['nc'], sent['cnonce'], 'auth']
    expect(sent).toMatchObject({ username: 'ada', nonce: 'n1', uri: second?.url })
    expect(sent['opaque']).toBe(parameters.includes('opaque') ? 'o' : undefined)
    expect([sent['response'], second?.body]).toEqual([hash([secrets[0], ...between, secrets[1]].join(':')), STATEMENT])
  })
})
