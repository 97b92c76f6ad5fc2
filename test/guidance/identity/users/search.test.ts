// @module-tag database

import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { componentMember, makeComponent } from '../../../support/authoring.ts'
import {
  guidanceService,
  type Answer,
  type Client,
  type Person,
  type SessionClient,
} from '../../../support/guidance.ts'

const guidance = guidanceService()

/** Ada owns both projects; Vera may look, Sam belongs to none. */
let ada: SessionClient
let vera: SessionClient
let sam: SessionClient
let root: SessionClient
let hidden: number
let open: number
let people: Readonly<Record<string, Person>> = {}

beforeAll(async () => {
  const under = guidance()
  people = {
    ada: await under.person('Ada'),
    vera: await under.person('Vera'),
    sam: await under.person('Sam'),
    root: await under.person('Root', { admin: true }),
    eclair: await under.person('Éclair Straße', { email: 'pastry@example.com' }),
    istanbul: await under.person('İpek', { email: 'ipek@example.com' }),
    wide: await under.person('Ｆｕｌｌ Width', { email: 'wide@example.com' }),
    percent: await under.person('100%_sure\\', { email: 'percent@example.com' }),
    emoji: await under.person('Bot 🤖', { email: 'bot@example.com' }),
  }
  ada = await under.signIn('ada@example.org')
  vera = await under.signIn('vera@example.org')
  sam = await under.signIn('sam@example.org')
  root = await under.signIn('root@example.org')
  hidden = await under.project(ada, { name: 'Hidden', visibility: 'hidden' })
  open = await under.project(ada, { name: 'Open', visibility: 'discoverable' })
  for (const id of [hidden, open]) await under.member(id, person('vera'), 'viewer')
})

describe('GET /api/users/search', () => {
  it('finds people who are not yet members, with exactly three fields', async () => {
    const { eclair } = people
    const found = await search(ada, 'éclair')
    expect(found).toEqual([{ id: eclair?.id, name: 'Éclair Straße', email: 'pastry@example.com' }])
    expect(await search(ada, 'vera')).toEqual([])
    expect(await search(ada, 'ada')).toEqual([])
  })

  it('finds members of another component for a component', async () => {
    const owner = { ...ada, ...person('ada') }
    const [own, other] = [
      await makeComponent(guidance(), owner, { projectId: open }),
      await makeComponent(guidance(), owner, { projectId: open }),
    ]
    await componentMember(guidance(), other.id, { person: person('sam'), role: 'viewer' })
    const searchIn = async (id: number) =>
      found.parse((await ask(ada, `membership_type=Component&membership_id=${id}&q=sam`)).body).users
    expect(await searchIn(own.id)).toMatchObject([{ name: 'Sam' }])
    expect(await searchIn(other.id)).toEqual([])
  })

  it('finds only members with scope=members', async () => {
    for (const client of [ada, vera, root]) {
      expect(await search(client, 'vera', '&scope=members')).toMatchObject([{ name: 'Vera' }])
      expect(await search(client, 'éclair', '&scope=members')).toEqual([])
      const members = await search(client, 'example', '&scope=members')
      expect(members.map(({ name }) => name)).toEqual(['Ada', 'Vera'])
    }
  })

  it.each([
    ['ÉCLAIR', 'Éclair Straße'],
    ['PASTRY@EXAMPLE', 'Éclair Straße'],
    ['air str', 'Éclair Straße'],
    ['  éclair  ', 'Éclair Straße'],
    ['0%_', '100%_sure\\'],
    ['t 🤖', 'Bot 🤖'],
  ])('matches %j within %s', async (q, name) => {
    expect(await search(ada, q)).toMatchObject([{ name }])
  })

  it.each(['%%', '__', 'nobody'])('takes %j literally and finds nobody', async (q) => {
    expect(await search(ada, q)).toEqual([])
  })

  it('does not match across the end of a name and the start of an address', async () => {
    expect(await search(ada, 'Straße pastry')).toEqual([])
    expect(await search(ada, 'Width wide')).toEqual([])
  })

  it.each([undefined, '', ' ', 'a', ' a ', 'é', '🤖', '%'])('finds nobody with the short text %j', async (q) => {
    const query = q === undefined ? '' : `&q=${encodeURIComponent(q)}`
    const answer = await ask(ada, `membership_type=Project&membership_id=${open}${query}`)
    expect(answer).toMatchObject({ status: 200, body: { users: [] } })
  })

  it('handles a text that case folding makes longer', async () => {
    const q = encodeURIComponent('\uFDFA'.repeat(1700))
    const answer = await ask(ada, `membership_type=Project&membership_id=${open}&q=${q}`)
    expect(answer).toMatchObject({ status: 200, body: { users: [] } })
  })

  it.each([
    ['', 10],
    ['&limit=3', 3],
    ['&limit=25', 25],
    ['&limit=0', 1],
    ['&limit=abc', 1],
    ['&limit=', 10],
    ['&limit=3&limit=4', 4],
  ])('returns for %j at most %i', async (limit, count) => {
    await crowd()
    expect(await search(ada, 'crowd', limit)).toHaveLength(count)
  })

  it('with a token requires the scope read', async () => {
    const query = `membership_type=Project&membership_id=${open}&q=sam`
    const reader = await guidance().token(person('ada'), ['read'])
    expect((await ask(reader, query)).body).toMatchObject({ users: [{ name: 'Sam' }] })
    const writer = await guidance().token(person('ada'), ['write'])
    expect((await ask(writer, query)).status).toBe(403)
  })
})

describe('The order of checks of GET /api/users/search', () => {
  const TARGETS: readonly (readonly [string, number, string])[] = [
    ['', 400, 'parameter_missing'],
    ['membership_id=ID', 400, 'parameter_missing'],
    ['membership_type=&membership_id=ID', 400, 'parameter_missing'],
    ['membership_type=project&membership_id=ID', 404, 'not_found'],
    ['membership_type=User&membership_id=ID', 404, 'not_found'],
    ['membership_type=User', 404, 'not_found'],
    ['membership_type=Project', 400, 'parameter_missing'],
    ['membership_type=Project&membership_id=', 400, 'parameter_missing'],
    ['membership_type=Component', 400, 'parameter_missing'],
    ['membership_type=Project&membership_id=999999', 404, 'not_found'],
    ['membership_type=Project&membership_id=0', 404, 'not_found'],
    ['membership_type=Project&membership_id=abc', 404, 'not_found'],
    ['membership_type=Project&membership_id=99999999999', 404, 'not_found'],
    ['membership_type=Component&membership_id=999999', 404, 'not_found'],
  ]

  it.each(TARGETS)('begins with the caller and the target: %j', async (query, status, code) => {
    const path = query.replace('ID', String(open))
    for (const rest of ['', '&q=a', '&q=ada', '&q=%00', '&scope=members']) {
      const anonymous = await ask(guidance().nobody, `${path}${rest}`)
      expect(anonymous).toMatchObject({ status: 401, body: { code: 'not_authenticated' } })
      for (const client of [sam, ada, root])
        expect(await ask(client, `${path}${rest}`)).toMatchObject({ status, body: { code } })
    }
  })

  it('continues with the rights of the caller, before the text', async () => {
    const table: readonly (readonly [Client, number, number, number, number])[] = [
      // Hidden and open project, each without and with scope=members.
      [sam, 404, 404, 403, 403],
      [vera, 403, 200, 403, 200],
      [ada, 200, 200, 200, 200],
      [root, 200, 200, 200, 200],
    ]
    const targets = [hidden, open].flatMap((id) => [
      `membership_type=Project&membership_id=${id}`,
      `membership_type=Project&membership_id=${id}&scope=members`,
    ])
    for (const [client, ...expected] of table)
      for (const q of ['', '&q=', '&q=a', '&q=ada']) {
        const answers = await Promise.all(targets.map((target) => ask(client, `${target}${q}`)))
        expect(answers.map(({ status }) => status)).toEqual(expected)
      }
  })

  it('hides from a stranger whether a project exists', async () => {
    for (const scope of ['', '&scope=members', '&scope=x']) {
      const real = await ask(sam, `membership_type=Project&membership_id=${hidden}${scope}`)
      const none = await ask(sam, `membership_type=Project&membership_id=999999${scope}`)
      expect(real.status).toBe(404)
      expect(real.body).toEqual(none.body)
    }
  })

  it('names the administrators if the caller may discover the project', async () => {
    for (const client of [sam, vera]) {
      const answer = await ask(client, `membership_type=Project&membership_id=${open}&q=ada`)
      expect(answer.body).toMatchObject({
        code: 'permission_denied',
        detail: 'You are not authorized to perform administrator actions on this project.',
        admins: [{ name: 'Ada', email: 'ada@example.org' }],
      })
    }
  })

  it('ends with the text: invalid texts are refused', async () => {
    const path = `membership_type=Project&membership_id=${open}`
    expect(await ask(ada, `${path}&q=a%00b`)).toMatchObject({
      status: 400,
      body: { code: 'parameter_invalid', parameter: 'q' },
    })
    expect((await ask(ada, `${path}&q=${'x'.repeat(10_001)}`)).status).toBe(400)
    expect((await ask(ada, `${path}&q=${'x'.repeat(10_000)}`)).status).toBe(200)
    expect((await ask(ada, `${path}&q=%ff%fe`)).status).toBeLessThan(500)
  })
})

const found = z.object({ users: z.array(z.strictObject({ id: z.int(), name: z.string(), email: z.string() })) })

function ask(client: Client, query: string): Promise<Answer> {
  return client.call('GET', `/api/users/search?${query}`)
}

async function search(client: Client, q: string, rest = ''): Promise<z.infer<typeof found>['users']> {
  const text = encodeURIComponent(q)
  const query = `membership_type=Project&membership_id=${open}&q=${text}${rest}`
  return found.parse((await ask(client, query)).body).users
}

function person(name: string): Person {
  const known = people[name]
  if (known === undefined) throw new Error(`There is no ${name}`)
  return known
}

let gathered: Promise<void> | null = null

/** Thirty people whose names have a word in common. */
function crowd(): Promise<void> {
  gathered ??= (async () => {
    for (let index = 0; index < 30; index += 1) await guidance().person(`Crowd-${index}`)
  })()
  return gathered
}
