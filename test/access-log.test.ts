import { dirname } from 'node:path'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { jsonOf, serviceWith, startService } from './support/service.ts'

const SMALL = 'test/fixtures/ontology/small.ttl'
const line = z.looseObject({
  msg: z.string(),
  request_id: z.string().optional(),
  route: z.string().nullish(),
  status: z.int().optional(),
  ms: z.number().optional(),
  bytes: z.int().optional(),
  caller: z.int().nullish(),
})
type Line = z.infer<typeof line>

const lines: Line[] = []
const log = pino({ base: null }, { write: (text) => void lines.push(line.parse(JSON.parse(text))) })
const service = serviceWith([{ sources: [SMALL], version: '1.0.0', date: '2026-01-01' }], {}, log)

/** The lines about a request, when it is over. */
async function linesOf(id: string): Promise<readonly Line[]> {
  const findLines = (): readonly Line[] => lines.filter((candidate) => candidate.request_id === id)
  await expect.poll(() => findLines().at(-1)?.msg).toBe('Answered')
  return findLines()
}

describe('The access log', () => {
  it.for([
    ['/api/technique/d3f:Nothing.json?q=secret', '/api/technique/{technique}.json', 404],
    ['/releases/1.0.0/api/matrix.json', '/releases/{version}/api/matrix.json', 200],
    ['/api/settings', '/api/settings', 200],
    ['/stigs/4711', '/stigs/{id}', 401],
    ['/nothing/here?token=secret', null, 404],
    ['/healthz', '/healthz', 200],
  ] as const)('has one line for %s, with the pattern of its path', async ([path, route, status]) => {
    const id = `request-${path.replaceAll(/\W/g, '-')}`
    await service().get(path, { headers: { 'X-Request-Id': id } })
    const [logged, ...others] = await linesOf(id)
    expect(others).toEqual([])
    expect(logged).toMatchObject({ route, status, method: 'GET', caller: null })
    expect(logged?.ms).toBeGreaterThan(0)
    expect(logged?.bytes).toBeGreaterThan(100)
    expect(JSON.stringify(logged).replace(id, '')).not.toMatch(/secret|4711|Nothing/)
  })

  it('has no line for an answer that the ontology has in memory', async () => {
    await service().get('/api/matrix.json')
    await service().get('/api/matrix.json', { headers: { 'X-Request-Id': 'the-second-time' } })
    await service().get('/healthz', { headers: { 'X-Request-Id': 'after-the-second' } })
    await linesOf('after-the-second')
    expect(lines.filter((candidate) => candidate.request_id === 'the-second-time')).toEqual([])
  })

  it.for(['/api/technique/d3f:Nothing.json', '/nothing/here', '/users', '/sparql?query=x'])(
    'knows the request of the problem at %s',
    async (path) => {
      const answer = await service().get(path, { headers: { 'X-Request-Id': 'a-quoted-request' } })
      expect(jsonOf(answer)).toMatchObject({ request_id: 'a-quoted-request' })
      expect(answer.headers['x-request-id']).toBe('a-quoted-request')
    },
  )
})

describe('An access log of everything', () => {
  it('has lines for answers from memory', async () => {
    const logging = await startService(dirname(service().folder.root), { SERVICE_ACCESS_LOG: 'all' }, log)
    await logging.get('/api/matrix.json')
    await logging.get('/api/matrix.json', { headers: { 'X-Request-Id': 'one-from-memory' } })
    expect(await linesOf('one-from-memory')).toMatchObject([{ route: '/api/matrix.json', status: 200 }])
    await logging.close()
  })
})
