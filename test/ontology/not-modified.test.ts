import type { IncomingHttpHeaders } from 'node:http'
import { describe, expect, it } from 'vitest'
import { starterService } from '../support/service.ts'

const VERSION = '0.1.0-starter'
const TECHNIQUE = '/api/technique/d3f:FileAnalysis.json'
const TURTLE = { accept: 'text/turtle' }

const service = starterService()

/** Addresses that are answered in different ways. */
const ADDRESSES: readonly (readonly [path: string, accept: Readonly<Record<string, string>>])[] = [
  ['/api/matrix.json', {}],
  [TECHNIQUE, {}],
  [TECHNIQUE, TURTLE],
  [`/releases/${VERSION}${TECHNIQUE}`, {}],
  [`/releases/${VERSION}${TECHNIQUE}`, TURTLE],
  ['/api/ontology/inference/onto-full-mappings.csv', {}],
  ['/ontologies/current/d3fend.ttl', {}],
  ['/ontologies/current', TURTLE],
  [`/ontologies/d3fend/${VERSION}/d3fend.nt`, {}],
  ['/api/releases.json', {}],
  ['/api/releases.atom', {}],
  [`/api/releases/${VERSION}/changes/${VERSION}.csv`, {}],
  [`/releases/${VERSION}/manifest.json`, {}],
  ['/.well-known/void', TURTLE],
]

/** Headers of the content, which a 304 has not; and those of the connection and the moment. */
const OF_THE_CONTENT = /^content-|^(?:connection|keep-alive|date|transfer-encoding)$/

function lasting(headers: IncomingHttpHeaders): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_THE_CONTENT.test(name)))
}

async function expectSameHeaders(
  path: string,
  headers: Readonly<Record<string, string>>,
  cacheControl: string,
): Promise<void> {
  const whole = await service().get(path, { headers })
  const again = { ...headers, 'if-none-match': whole.headers.etag ?? '' }
  const unchanged = await service().get(path, { headers: again })
  expect([whole.status, unchanged.status, unchanged.body.length]).toEqual([200, 304, 0])
  expect(lasting(unchanged.headers)).toEqual(lasting(whole.headers))
  expect(unchanged.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'ETag',
    'cache-control': cacheControl,
  })
  expect(unchanged.headers.vary).toMatch(/^Accept/)
}

/** A browser takes these from a 304 in place of those that it has kept (RFC 9110 §15.4.5, RFC 9111 §4.3.4). */
describe('A 304 has the headers of the answer that it stands for', () => {
  it.each(ADDRESSES)('%s, %j', async (path, accept) => {
    const isPinned = path.includes(VERSION) && !path.startsWith('/api/')
    const cacheControl = isPinned ? 'public, max-age=31536000, immutable' : 'no-cache'
    for (const coding of ['identity', 'gzip', 'br'])
      await expectSameHeaders(path, { ...accept, 'accept-encoding': coding }, cacheControl)
  })

  it('also for the graph of a release, which is sent from the disk', async () => {
    const manifest = service().ontology.current?.manifest
    const path = `/releases/${VERSION}/${manifest?.graphFile ?? ''}`
    for (const coding of ['identity', 'gzip'])
      await expectSameHeaders(path, { 'accept-encoding': coding }, 'public, max-age=31536000, immutable')
  })
})
