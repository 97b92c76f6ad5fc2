import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { projectPage } from '../../../../src/guidance/authoring/projects/schemas.ts'
import { setRows } from '../../../support/guidance-records.ts'
import { guidanceService, type Client, type SessionClient } from '../../../support/guidance.ts'
type Query = Readonly<Record<string, string>> | [string, string][]

const guidance = guidanceService()

function pathOf(query: Query): string {
  return `/api/projects?${new URLSearchParams(query).toString()}`
}

async function list(client: Client, query: Query = {}): Promise<z.infer<typeof projectPage>> {
  const { status, body } = await client.call('GET', pathOf(query))
  expect(status).toBe(200)
  return projectPage.parse(body)
}

async function names(client: Client, query: Query = {}): Promise<readonly string[]> {
  return (await list(client, query)).rows.map(({ name }) => name)
}

/** Somebody new, signed in, with projects of these names. */
async function owner(
  name: string,
  projects: readonly (string | Readonly<Record<string, string>>)[] = [],
): Promise<SessionClient> {
  const session = await guidance().signUp(name)
  for (const project of projects)
    await guidance().project(session, typeof project === 'string' ? { name: project } : project)
  return session
}

describe('q', () => {
  const odd = String.raw`50%_\ [a] 'b' "c"`
  let session: SessionClient

  beforeAll(async () => {
    session = await owner('Queen', [
      { name: 'Alpha guide', description: 'Routers, STRASSE and É' },
      { name: 'Ｂeta (full width)', description: 'about cafe\u0301s' },
      { name: odd },
      { name: '50 pounds and a bit', description: 'no per cent' },
      { name: '  Gamma  ' },
    ])
  })

  it.each([
    ['alpha', ['Alpha guide']],
    ['routers', ['Alpha guide']],
    ['e\u0301', ['Alpha guide', 'Ｂeta (full width)']],
    ['CAFÉ', ['Ｂeta (full width)']],
    ['%', [odd]],
    ['%_[]', []],
    ['a b', ['50 pounds and a bit']],
    [' guide', ['Alpha guide']],
    [' alpha', []],
    ['no such thing', []],
  ])('%j finds %j', async (q, found) => {
    expect([...(await names(session, { q }))].sort()).toEqual([...found].sort())
  })

  it('lists all projects when it is empty or absent', async () => {
    expect(await names(session, { q: '' })).toEqual(await names(session))
    expect(await names(session)).toHaveLength(5)
  })

  it('never causes a server error for arbitrary text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (q) => {
        const path = `/api/projects?q=${encodeURIComponent(q)}`
        const { status } = await session.call('GET', path)
        expect([200, 400]).toContain(status)
        expect(status).toBe(q.includes('\0') ? 400 : 200)
      }),
      { numRuns: 100 },
    )
    for (const q of ['%00', '%', '%ff', '%ED%A0%80', '[]', '%25'.repeat(3000)]) {
      const { status } = await session.call('GET', `/api/projects?q=${q}`)
      expect([q, status]).toEqual([q, q === '%00' ? 400 : 200])
    }
  })

  it('may be long, even if case folding makes it longer', async () => {
    // U+FDFA becomes 18 characters.
    for (const q of ['x'.repeat(10_000), 'ﷺ'.repeat(1600)]) expect(await names(session, { q })).toEqual([])
    const tooLong = await session.call('GET', pathOf({ q: 'x'.repeat(10_001) }))
    expect([tooLong.status, tooLong.body]).toEqual([
      400,
      expect.objectContaining({ code: 'parameter_invalid', parameter: 'q' }),
    ])
  })
})

describe('sort and order', () => {
  let session: SessionClient
  const byName = ['alpha', 'Beta', 'gamma', 'Zulu', 'ärger', 'Éclair', 'Ωmega', '日本', '😀 smile']

  beforeAll(async () => {
    session = await owner('Sorter', [...byName].reverse())
    const { body } = await session.call('GET', '/projects')
    const cards = z.array(z.object({ id: z.int(), name: z.string() })).parse(body)
    const first = cards.find(({ name }) => name === 'Zulu')
    await session.call('PATCH', `/projects/${first?.id ?? 0}`, { body: { project: { description: 'touched' } } })
  })

  it('order names by folded code points, equally on every database', async () => {
    expect(await names(session, { sort: 'name' })).toEqual(byName)
    expect(await names(session, { sort: 'name', order: 'desc' })).toEqual([...byName].reverse())
  })

  it('accept the order of creation and of the last change', async () => {
    const byCreation = [...byName].reverse()
    expect(await names(session, { sort: 'created_at' })).toEqual(byCreation)
    expect(await names(session, { sort: 'created_at', order: 'desc' })).toEqual(byName)
    const changed = [...byCreation.filter((name) => name !== 'Zulu'), 'Zulu']
    expect(await names(session, { sort: 'updated_at', order: 'asc' })).toEqual(changed)
  })

  it.each([
    { sort: 'id' },
    { sort: '' },
    { sort: 'name; drop table projects' },
    { sort: 'name', order: 'sideways' },
    { sort: 'name', order: '' },
    { order: 'desc' },
    { sort: '', order: 'desc' },
    {},
  ])('ignore the unknown value %j', async (query) => {
    expect(await names(session, query)).toEqual(byName)
  })

  it('use the last value of a repeated parameter', async () => {
    const query: Query = [
      ['sort', 'created_at'],
      ['order', 'asc'],
      ['sort', 'name'],
      ['order', 'desc'],
      ['q', 'alpha'],
      ['q', ''],
      ['per_page', '1'],
      ['per_page', '3'],
    ]
    expect(await names(session, query)).toEqual([...byName].reverse().slice(0, 3))
  })

  it.each(['name', 'created_at', 'updated_at'])(
    'keep the order of projects with the same %s on all pages',
    async (sort) => {
      const twins = await owner(`Twin-${sort}`)
      for (let index = 0; index < 9; index += 1) await guidance().project(twins, { name: 'Same' })
      const then = '2026-01-31T12:00:00.000Z'
      await setRows(guidance(), 'projects', { created_at: then, updated_at: then }, { name: 'Same' })
      const collect = async (order: string): Promise<readonly number[]> => {
        const pages = await Promise.all(
          ['1', '2', '3'].map((page) => list(twins, { sort, order, page, per_page: '3' })),
        )
        return pages.flatMap(({ rows }) => rows.map(({ id }) => id))
      }
      const ascending = await collect('asc')
      expect(ascending).toEqual([...ascending].sort((a, b) => a - b))
      expect(new Set(ascending).size).toBe(9)
      expect(await collect('desc')).toEqual([...ascending].reverse())
    },
  )
})

describe('page and per_page', () => {
  let session: SessionClient

  beforeAll(async () => {
    session = await owner('Pager')
    const projects = Array.from({ length: 30 }, (_, index) => `Page ${String(index).padStart(2, '0')}`)
    for (const name of projects) await guidance().project(session, { name })
  })

  it.each([
    ['', 1],
    ['0', 1],
    ['abc', 1],
    ['2.9', 2],
  ])('page=%j returns page %j', async (page, read) => {
    const { rows, pagination } = await list(session, { page })
    expect(pagination).toEqual({ page: read, per_page: 25, total: 30 })
    expect(rows[0]?.name).toBe(read === 1 ? 'Page 00' : 'Page 25')
    expect(rows).toHaveLength(read === 1 ? 25 : 5)
  })

  it('return the first 25 projects by default', async () => {
    const { rows, pagination } = await list(session)
    expect(pagination).toEqual({ page: 1, per_page: 25, total: 30 })
    expect(rows).toHaveLength(25)
  })

  it.each([
    ['', 25],
    ['0', 25],
    ['abc', 25],
    ['1', 1],
    ['100', 100],
    ['1000', 100],
  ])('per_page=%j returns %j', async (per_page, size) => {
    const { rows, pagination } = await list(session, { per_page })
    expect(pagination).toEqual({ page: 1, per_page: size, total: 30 })
    expect(rows).toHaveLength(Math.min(size, 30))
  })

  it.each([
    [{ page: '3' }, 'Page 3 is out of range (1..2)'],
    [{ page: '9999' }, 'Page 9999 is out of range (1..2)'],
    [{ page: '31', per_page: '1' }, 'Page 31 is out of range (1..30)'],
    [{ page: '2', q: 'no such thing' }, 'Page 2 is out of range (1..1)'],
    [{ page: '1000000000' }, 'Page 1000000000 is out of range (1..2)'],
    [{ page: '99999999999999999999' }, 'Page 1000000000 is out of range (1..2)'],
  ])('refuse %j', async (query, detail) => {
    const { status, body } = await session.call('GET', pathOf(query))
    expect(status).toBe(400)
    expect(body).toEqual({
      type: '/docs/api/errors#page_out_of_range',
      code: 'page_out_of_range',
      title: 'Page out of range',
      status: 400,
      detail,
    })
  })

  it('return an empty list with its first page', async () => {
    const { rows, pagination } = await list(session, { q: 'no such thing', page: '1' })
    expect([rows, pagination]).toEqual([[], { page: 1, per_page: 25, total: 0 }])
  })

  it('return every project exactly once over all pages', async () => {
    const pages = await Promise.all(['1', '2', '3', '4', '5'].map((page) => list(session, { page, per_page: '7' })))
    expect(new Set(pages.flatMap(({ rows }) => rows.map(({ id }) => id))).size).toBe(30)
  })
})
