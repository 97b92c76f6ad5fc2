import { describe, expect, it } from 'vitest'
import { seal } from '../../../../src/guidance/parts/sealed.ts'
import { logIn, statusOf } from '../../../support/accounts.ts'
import { setRows } from '../../../support/guidance-records.ts'
import { guidanceService, PASSWORD, type SessionClient } from '../../../support/guidance.ts'
import { codeOf, enrolCodes, giveFactor, givePassword, personWithCodes } from '../../../support/second-factor.ts'
import { singleSignOn } from '../../../support/single-sign-on.ts'

const SETUP = { status: 403, body: { code: 'second_factor_setup_required' } }

const guidance = guidanceService()
const strict = guidanceService({ SERVICE_SECOND_FACTOR_REQUIRED: 'everybody' })
const { guidance: provided, enter } = await singleSignOn(['ida'], {
  env: { SERVICE_SECOND_FACTOR_REQUIRED: 'everybody' },
})

async function administrator(name: string): Promise<SessionClient> {
  return guidance().signUp(name, { admin: true })
}

/** A request that every page sends. */
function ask(client: { call: SessionClient['call'] }) {
  return client.call('GET', '/api/navigation')
}

describe('A required second factor', () => {
  it('blocks everything until it is set up except setup, own account and sign-out', async () => {
    const session = await strict().signUp('Ada')
    expect(await ask(session)).toMatchObject(SETUP)
    expect(await session.call('GET', '/users/edit')).toMatchObject(SETUP)
    const password = { user: { current_password: PASSWORD, password: 'Another-Horse-43-!Staple' } }
    expect(await session.call('PUT', '/users', { body: password })).toMatchObject(SETUP)
    const token = { personal_access_token: { current_password: PASSWORD } }
    const created = await session.call('POST', '/personal_access_tokens', { body: token })
    expect(created).toMatchObject(SETUP)
    expect(await statusOf(session)).toBe(200)
    const list = await session.call('GET', '/users/second_factors')
    expect(list.body).toMatchObject({ required: true, second_factors: [] })
    const { id } = await enrolCodes(session)
    expect((await ask(session)).status).toBe(200)
    const gone = await session.call('DELETE', `/users/second_factors/${id}`)
    expect(gone).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
  })

  it('blocks every operation that needs an account, except these', () => {
    const open = strict()
      .service.guidance.endpoints.filter(({ beforeSecondFactor }) => beforeSecondFactor === true)
      .map(({ operation }) => operation)
    expect(open.sort()).toEqual([
      'beginOneTimeCodes',
      'beginPasskey',
      'confirmOneTimeCodes',
      'confirmPasskey',
      'getCurrentUser',
      'listSecondFactors',
      'signOut',
    ])
  })

  it('is left to the provider for people who sign in there', async () => {
    const session = await enter('ida')
    expect((await ask(session)).status).toBe(200)
    const begun = await session.call('POST', '/users/second_factors/totp', { body: {} })
    expect(begun).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    const local = await provided().signUp('Leo')
    expect(await ask(local)).toMatchObject(SETUP)
  })
})

describe('An administrator', () => {
  it('requires a second factor of an account, which blocks its session and tokens', async () => {
    const admin = await administrator('Boss')
    const ben = await guidance().signUp('Ben')
    const token = await guidance().token(ben, ['read'])
    expect((await ask(token)).status).toBe(200)
    const changed = await admin.call('PATCH', `/users/${ben.id}`, { body: { user: { second_factor_required: true } } })
    expect(changed.body).toMatchObject({ user: { second_factor_required: true, second_factors: 0 } })
    expect(await ask(ben)).toMatchObject(SETUP)
    expect(await ask(token)).toMatchObject(SETUP)
    await enrolCodes(ben)
    expect((await ask(ben)).status).toBe(200)
    // It was made without the second factor.
    expect((await ask(token)).status).toBe(401)
  })

  it('resets one of another person, which ends sessions and is in the audit trail', async () => {
    const admin = await administrator('Chief')
    const { person, session } = await personWithCodes(guidance(), 'Cleo')
    const path = `/users/${person.id}/reset_second_factor`
    expect((await session.call('POST', path)).status).toBe(403)
    expect((await admin.call('POST', path)).status).toBe(200)
    expect(await statusOf(session)).toBe(401)
    expect((await logIn(guidance().nobody, person.email)).status).toBe(200)
    const { body } = await admin.call('GET', `/api/audits?auditable_type=User&auditable_id=${person.id}`)
    const trail = JSON.stringify(body)
    expect(trail).toContain("The second factor was reset: one-time codes 'Phone'")
    expect(trail).toContain("A second factor was added: one-time codes 'Phone'")
  })

  it('needs the password for another administrator and cannot reset the own one', async () => {
    const { session, person } = await personWithCodes(guidance(), 'Dan', { admin: true })
    const other = await personWithCodes(guidance(), 'Eve', { admin: true })
    const path = `/users/${other.person.id}/reset_second_factor`
    expect(await session.call('POST', path)).toMatchObject({ body: { code: 'incorrect_password' } })
    const body = { user: { current_password: PASSWORD } }
    expect((await session.call('POST', path, { body })).status).toBe(200)
    const ownReset = await session.call('POST', `/users/${person.id}/reset_second_factor`, { body })
    expect(ownReset.status).toBe(422)
  })
})

describe('After a change of the key', () => {
  it('one-time codes cannot be read and are refused as wrong', async () => {
    const { person, secret } = await personWithCodes(guidance(), 'Fay')
    const key = seal(secret, Buffer.alloc(32), `one-time codes of user ${person.id}`)
    await setRows(guidance(), 'second_factors', { key }, { user_id: person.id })
    const pending = await givePassword(guidance(), person.email)
    const refused = await giveFactor(pending, { code: codeOf(secret) })
    expect(refused).toMatchObject({ status: 401, body: { code: 'second_factor_wrong' } })
  })
})
