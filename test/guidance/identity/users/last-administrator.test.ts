// @module-tag database

import { beforeEach, describe, expect, it } from 'vitest'
import { entriesOf, messagesOf, setRows, rowsOf, rowOf } from '../../../support/guidance-records.ts'
import { guidanceService, PASSWORD, type Answer, type Person, type SessionClient } from '../../../support/guidance.ts'

const LAST = 'This is the last site administrator'

const guidance = guidanceService()

let number = 0

/** No site administrators are left over from other tests. */
beforeEach(() => setRows(guidance(), 'users', { admin: 0 }))

describe('The last site administrator', () => {
  it('cannot be demoted, deleted, or delete themselves', async () => {
    const { person, session } = await administrator()
    const entries = await entriesOf(guidance(), async () => {
      for (const refused of [
        await demote(session, person),
        await session.call('DELETE', `/users/${person.id}`),
        await deleteSelf(session),
      ])
        expectLast(refused)
    })
    expect(entries).toEqual([])
    expect((await session.call('GET', '/users')).status).toBe(200)
    const other = await guidance().person(name())
    await session.call('PUT', `/users/${other.id}`, { body: { user: { admin: true } } })
    expect((await demote(session, person)).status).toBe(200)
  })

  it('is the only unlocked one', async () => {
    const { person, session } = await administrator()
    const readPage = async () => (await session.call('GET', '/users/edit')).body
    expect(await readPage()).toMatchObject({ last_site_admin: true })
    const locked = await administrator()
    expect(await readPage()).toMatchObject({ last_site_admin: false })
    await session.call('POST', `/users/${locked.person.id}/lock`)
    expect(await readPage()).toMatchObject({ last_site_admin: true })
    expectLast(await demote(session, person))
    expectLast(await deleteSelf(session))
    await session.call('POST', `/users/${locked.person.id}/unlock`)
    expect((await demote(session, person)).status).toBe(200)
  })

  it('can be changed in every other way, and other administrators can be removed', async () => {
    const { person, session } = await administrator()
    const other = await administrator()
    const body = { user: { name: name(), admin: true } }
    expect((await session.call('PUT', `/users/${person.id}`, { body })).status).toBe(200)
    expect((await session.call('DELETE', `/users/${other.person.id}`)).status).toBe(200)
    const plain = await guidance().person(name())
    expect((await session.call('DELETE', `/users/${plain.id}`)).status).toBe(200)
  })

  type Deed = (by: Seated, other: Seated) => Promise<Answer>

  const DEEDS: Readonly<Record<string, Deed>> = {
    'demote each other': (by, other) => demote(by.session, other.person),
    'demote themselves': (by) => demote(by.session, by.person),
    'delete each other': (by, other) => by.session.call('DELETE', `/users/${other.person.id}`),
    'delete themselves': (by) => deleteSelf(by.session),
    'lock each other': (by, other) => by.session.call('POST', `/users/${other.person.id}/lock`),
  }
  const deeds = Object.keys(DEEDS)
  const pairs = deeds.flatMap((first, index) => deeds.slice(index).map((second) => [first, second] as const))

  it.each(pairs)('remains after two simultaneous requests: %s, %s', async (first, second) => {
    for (let round = 0; round < 3; round += 1) {
      await setRows(guidance(), 'users', { admin: 0 })
      const a = await administrator()
      const b = await administrator()
      const answers = await Promise.all([DEEDS[first]?.(a, b), DEEDS[second]?.(b, a)])
      for (const answer of answers) expect([200, 401, 403, 404, 422]).toContain(answer?.status)
      const left = await rowsOf(guidance(), 'users', { admin: 1, locked_by: null })
      expect(left.length).toBeGreaterThanOrEqual(1)
      expect(answers.some((answer) => answer?.status === 200)).toBe(true)
    }
  })
})

describe('The only administrator of a project', () => {
  it('cannot be deleted and cannot leave, and the refusal names the projects', async () => {
    const { session } = await administrator()
    const owner = await seat(await guidance().person(name()))
    const mate = await guidance().person(name())
    const alpha = await guidance().project(owner.session, { name: 'Alpha' })
    const beta = await guidance().project(owner.session, { name: 'Beta' })
    const shared = await guidance().project(owner.session, { name: 'Gamma' })
    await guidance().member(shared, mate, 'admin')
    await guidance().member(alpha, mate, 'reviewer')
    expect((await owner.session.call('GET', '/users/edit')).body).toMatchObject({
      only_admin_of: [
        { id: alpha, name: 'Alpha' },
        { id: beta, name: 'Beta' },
      ],
      last_site_admin: false,
    })
    const entries = await entriesOf(guidance(), async () => {
      for (const refused of [
        await session.call('DELETE', `/users/${owner.person.id}`),
        await deleteSelf(owner.session),
      ]) {
        expect(refused.status).toBe(422)
        expect(messagesOf(refused)).toEqual(['The user is the only administrator of: Alpha, Beta'])
      }
    })
    expect(entries).toEqual([])
    await guidance().member(beta, mate, 'admin')
    await session.call('DELETE', `/projects/${alpha}`)
    expect((await deleteSelf(owner.session)).status).toBe(200)
  })

  it('remains when both are deleted at once', async () => {
    const { session } = await administrator()
    for (let round = 0; round < 3; round += 1) {
      const first = await seat(await guidance().person(name()))
      const second = await seat(await guidance().person(name()))
      const project = await guidance().project(first.session)
      await guidance().member(project, second.person, 'admin')
      const answers = await Promise.all([
        session.call('DELETE', `/users/${first.person.id}`),
        deleteSelf(second.session),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
    }
  })

  it('remains when one is deleted while the other is demoted', async () => {
    const { session } = await administrator()
    for (let round = 0; round < 3; round += 1) {
      const first = await seat(await guidance().person(name()))
      const second = await guidance().person(name())
      const project = await guidance().project(first.session)
      await guidance().member(project, second, 'admin')
      const { id } = await rowOf(guidance(), 'memberships', { user_id: second.id })
      const body = { membership: { role: 'viewer' } }
      await Promise.all([
        session.call('DELETE', `/users/${first.person.id}`),
        session.call('PUT', `/memberships/${id}`, { body }),
      ])
      const admins = await rowsOf(guidance(), 'memberships', { project_id: project, role: 'admin' })
      expect(admins).toHaveLength(1)
    }
  })
})

describe('An account', () => {
  it('that is deleted by several callers at once is deleted once', async () => {
    const { session } = await administrator()
    const other = await administrator()
    const doomed = await seat(await guidance().person(name()))
    const entries = await entriesOf(guidance(), async () => {
      const answers = await Promise.all([
        session.call('DELETE', `/users/${doomed.person.id}`),
        other.session.call('DELETE', `/users/${doomed.person.id}`),
        deleteSelf(doomed.session),
      ])
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      // A person who is deleted between the two checks has no password to compare any more.
      for (const { status, body } of answers)
        if (status === 422) expect(body).toMatchObject({ code: 'incorrect_password' })
        else expect([200, 401, 404]).toContain(status)
    })
    expect(entries.filter(({ action }) => action === 'destroy')).toHaveLength(1)
  })
})

interface Seated {
  readonly person: Person
  readonly session: SessionClient
}

async function administrator(): Promise<Seated> {
  return seat(await guidance().person(name(), { admin: true }))
}

async function seat(person: Person): Promise<Seated> {
  return { person, session: await guidance().signIn(person.email) }
}

function name(): string {
  number += 1
  return `Person${number}`
}

function demote(by: SessionClient, { id }: Person): Promise<Answer> {
  return by.call('PUT', `/users/${id}`, { body: { user: { admin: false } } })
}

function deleteSelf(session: SessionClient): Promise<Answer> {
  return session.call('DELETE', '/users', { body: { user: { current_password: PASSWORD } } })
}

function expectLast(answer: Answer): void {
  expect(answer.status).toBe(422)
  expect(messagesOf(answer)).toEqual([LAST])
}
