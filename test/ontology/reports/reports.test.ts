import { createHash } from 'node:crypto'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ingestInto, jsonOf, serviceWith } from '../../support/service.ts'

const TEN = 'test/fixtures/ontology/ten.ttl'
const SMALL = 'test/fixtures/ontology/small.ttl'
const hashes = z.object({ records: z.record(z.string(), z.object({ bytes: z.int(), sha256: z.string() })) })

const service = serviceWith([
  { sources: [TEN], version: '1.0.0', date: '2026-01-01' },
  { sources: [SMALL], version: '2.0.0', date: '2026-02-01' },
])

describe('Reports on releases', () => {
  it('include a list, the newest first', async () => {
    const answer = await service().get('/api/releases.json')
    expect(jsonOf(answer)).toMatchObject({
      active: '2.0.0',
      releases: [
        { version: '2.0.0', active: true },
        { version: '1.0.0', active: false, manifest: '/releases/1.0.0/manifest.json' },
      ],
    })
    const again = await service().get('/api/releases.json', { headers: { 'if-none-match': answer.headers.etag ?? '' } })
    expect(again.status).toBe(304)
  })

  it('include a feed, whose entries keep their ids', async () => {
    const { headers, body } = await service().get('/api/releases.atom')
    expect(headers['content-type']).toMatch(/^application\/atom\+xml/)
    const feed = body.toString()
    const ids = [...feed.matchAll(/<id>(urn:uuid:[^<]+)<\/id>/g)].map(([, id]) => id)
    expect(ids).toHaveLength(2)
    for (const id of ids)
      expect(id).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(feed).toContain('/api/releases/1.0.0/changes/2.0.0.json')
    expect((await service().get('/api/releases.atom')).body.toString()).toBe(feed)
  })

  it('include the hash of every answer as clients receive it', async () => {
    const { records } = hashes.parse(jsonOf(await service().get('/api/releases/1.0.0/hashes.json')))
    expect(Object.keys(records).length).toBeGreaterThan(20)
    for (const [path, { bytes, sha256 }] of Object.entries(records)) {
      const { body, headers } = await service().get(`/releases/1.0.0${path}`)
      expect([body.length, createHash('sha256').update(body).digest('hex')]).toEqual([bytes, sha256])
      expect(headers.etag).toContain(sha256.slice(0, 32))
    }
  })

  it('include the manifest without paths, and the graph, for fetching a release', async () => {
    const manifest = z
      .object({ sha256: z.string(), graphFile: z.string(), sources: z.array(z.object({ name: z.string() })) })
      .parse(jsonOf(await service().get('/releases/1.0.0/manifest.json')))
    expect(manifest.sources).toEqual([{ name: 'ten.ttl' }])
    const graph = await service().get(`/releases/1.0.0/${manifest.graphFile}`)
    expect(createHash('sha256').update(graph.body).digest('hex')).toBe(manifest.sha256)
  })

  it('include the changes between two releases, in both forms and directions', async () => {
    const forwards = jsonOf(await service().get('/api/releases/1.0.0/changes/2.0.0.json'))
    const backwards = jsonOf(await service().get('/api/releases/2.0.0/changes/1.0.0.json'))
    expect(forwards).toMatchObject({ from: { version: '1.0.0' }, to: { version: '2.0.0' } })
    expect(backwards).toMatchObject({ from: { version: '2.0.0' }, to: { version: '1.0.0' } })
    const same = jsonOf(await service().get('/api/releases/1.0.0/changes/1.0.0.json'))
    expect(same).toMatchObject({ changes: [], statements: { added: [], removed: [] } })
    const csv = await service().get('/api/releases/1.0.0/changes/2.0.0.csv')
    expect(csv.headers['content-type']).toMatch(/^text\/csv/)
    expect(csv.body.toString()).toMatch(/^kind,change,name,/)
  })

  it.each([
    ['/api/releases/1.0.1/hashes.json', 404, 'release_not_found'],
    ['/api/releases/1.0.0/changes/9.json', 404, 'release_not_found'],
    ['/api/releases/%2e%2e/changes/1.0.0.json', 404, 'release_not_found'],
    ['/api/releases/1.0.0/changes/%E0.json', 400, 'bad_path'],
    ['/releases/1.0.0/0123456789abcdef.nq', 404, 'route_not_found'],
  ])('refuses %s', async (path, status, code) => {
    const answer = await service().get(path)
    expect(answer.status).toBe(status)
    expect(jsonOf(answer)).toMatchObject({ code })
  })

  it('return 404 for a removed release', async () => {
    await ingestInto(dirname(service().folder.root), [TEN], { version: '1.5.0', date: '2026-01-15', activate: false })
    const path = '/api/releases/1.5.0/changes/2.0.0.json'
    expect((await service().get(path)).status).toBe(200)
    await service().folder.remove('1.5.0')
    expect((await service().get(path)).status).toBe(404)
  })

  it('are read-only', async () => {
    const answer = await service().get('/api/releases.json', { method: 'POST' })
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })
})
