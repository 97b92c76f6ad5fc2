// @module-tag database

import { beforeAll, describe, expect, it } from 'vitest'
import { componentMember, makeComponent, type MadeComponent } from '../../support/authoring.ts'
import { setRows, rowOf } from '../../support/guidance-records.ts'
import { type Client, guidanceService, signedIn } from '../../support/guidance.ts'

const guidance = guidanceService()

const REQUIREMENT = 'SRG-OS-000901-GPOS-00001'

/** Ada owns both projects; Vera is a viewer of the hidden one, Carl of one component; Sam of nothing. */
const ada = signedIn(guidance, 'Ada')
const vera = signedIn(guidance, 'Vera')
const carl = signedIn(guidance, 'Carl')
const sam = signedIn(guidance, 'Sam')
const root = signedIn(guidance, 'Root', { admin: true })
const callers: Readonly<Record<string, Client>> = { ada, vera, carl, sam, root }
let hidden: number
let open: number
let made: Readonly<Record<'inHidden' | 'inOpen' | 'released', MadeComponent>>
let srg: string

beforeAll(async () => {
  const under = guidance()
  hidden = await under.project(ada, { name: 'Hidden', visibility: 'hidden' })
  open = await under.project(ada, { name: 'Open', visibility: 'discoverable' })
  const rules = [{ id: 'SV-1r1_rule', version: REQUIREMENT }]
  const inHidden = await makeComponent(under, ada, { projectId: hidden, name: 'One', rules })
  const { srgId } = inHidden
  const inOpen = await makeComponent(under, ada, { projectId: open, name: 'Two', srgId })
  const released = await makeComponent(under, ada, { projectId: hidden, name: 'Three', srgId })
  made = { inHidden, inOpen, released }
  await under.member(hidden, vera, 'viewer')
  await componentMember(under, inOpen.id, { person: carl, role: 'viewer' })
  await setRows(under, 'components', { released: 1 }, { id: released.id })
  const row = await rowOf(under, 'benchmarks', { id: srgId })
  srg = row.benchmark_id
})

async function search(name: string, kind: string, q: string | null): Promise<unknown> {
  const query = q === null ? '' : `?q=${encodeURIComponent(q)}`
  const client = callers[name] ?? guidance().nobody
  const { status, body } = await client.call('GET', `/search/${kind}${query}`)
  return status === 200 ? body : { status, body }
}

const READABLE = {
  ada: ['inHidden', 'inOpen', 'released'],
  vera: ['inHidden', 'released'],
  carl: ['inOpen', 'released'],
  sam: ['released'],
  root: ['inHidden', 'inOpen', 'released'],
} as const

const WHO = Object.entries(READABLE)

describe('GET /search/rules', () => {
  it.each(WHO)('finds only readable records for %s', async (name, readable) => {
    const rules = readable.map((which) => {
      return [made[which].rules[0], '000001', made[which].id, 'TEAP-00']
    })
    expect(await search(name, 'rules', REQUIREMENT)).toEqual({ rules })
  })

  it('matches the identifier literally and leaves removed rules out', async () => {
    for (const q of ['', REQUIREMENT.toLowerCase(), ` ${REQUIREMENT}`, 'SRG-OS-000901', '%'])
      expect(await search('root', 'rules', q)).toEqual({ rules: [] })
    const { id } = made.released
    await setRows(guidance(), 'rules', { deleted_at: new Date().toISOString() }, { component_id: id })
    expect(await search('sam', 'rules', REQUIREMENT)).toEqual({ rules: [] })
  })

  it('is refused without q and without an account', async () => {
    expect(await search('sam', 'rules', null)).toMatchObject({
      status: 400,
      body: { code: 'parameter_missing', parameter: 'q' },
    })
    expect(await search('nobody', 'rules', REQUIREMENT)).toMatchObject({ status: 401 })
  })
})

describe('GET /search/components', () => {
  it.each(WHO)('finds only readable records for %s', async (name, readable) => {
    const names = { inHidden: 'One', inOpen: 'Two', released: 'Three' }
    const components = readable.map((which) => [made[which].id, names[which]])
    expect(await search(name, 'components', srg)).toEqual({ components })
  })

  it('finds nothing for anything else, or without q', async () => {
    for (const q of [null, '', srg.toLowerCase(), '%'])
      expect(await search('root', 'components', q)).toEqual({ components: [] })
    expect(await search('nobody', 'components', srg)).toMatchObject({ status: 401 })
  })
})

describe('GET /search/projects', () => {
  it('finds visible projects by content that the caller may read', async () => {
    const [hiddenEntry, openEntry] = [
      [hidden, 'Hidden'],
      [open, 'Open'],
    ]
    const seen = {
      ada: [hiddenEntry, openEntry],
      vera: [hiddenEntry],
      carl: [openEntry],
      sam: [],
      root: [hiddenEntry, openEntry],
    }
    for (const [name, projects] of Object.entries(seen))
      expect([name, await search(name, 'projects', srg)]).toEqual([name, { projects }])
  })

  it('finds nothing for anything else, or without q', async () => {
    for (const q of [null, '', srg.toLowerCase(), '%'])
      expect(await search('root', 'projects', q)).toEqual({ projects: [] })
    expect(await search('nobody', 'projects', srg)).toMatchObject({ status: 401 })
  })
})
