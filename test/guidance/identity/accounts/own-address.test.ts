import { afterAll, describe, expect, it } from 'vitest'
import { accountOf, linkIn, logIn, NEW_PASSWORD, secretIn, statusOf, useSecret } from '../../../support/accounts.ts'
import { guidanceService, PASSWORD, type SessionClient } from '../../../support/guidance.ts'
import { startMailServer } from '../../../support/mail-server.ts'

const mail = await startMailServer()
afterAll(() => mail.close())
const guidance = guidanceService({ SERVICE_SMTP_URL: mail.url })

describe('A new address of the own account, with mail', () => {
  it('takes effect on confirmation and then notifies the old address', async () => {
    const session = await guidance().signUp('Ada')
    const answer = await update(session, { email: 'Countess@example.org', current_password: PASSWORD })
    expect(answer.body).toMatchObject({ toast: { message: 'The new address has to be confirmed first.' } })
    const request = await mail.next()
    expect(request.recipients).toEqual(['countess@example.org'])
    expect((await accountOf(guidance(), session)).email).toBe('ada@example.org')
    expect((await logIn(guidance().nobody, 'countess@example.org')).status).toBe(401)

    const secret = secretIn(linkIn(request))
    expect((await useSecret(guidance().nobody, 'confirmation', secret)).status).toBe(200)
    const notice = await mail.next()
    expect(notice.recipients).toEqual(['ada@example.org'])
    expect(notice.text).not.toContain('countess')
    expect(await accountOf(guidance(), session)).toMatchObject({
      email: 'countess@example.org',
      unconfirmed_email: null,
      search_key: 'ada\ncountess@example.org',
    })
    expect((await logIn(guidance().nobody, 'countess@example.org')).status).toBe(200)
    expect((await logIn(guidance().nobody, 'ada@example.org')).status).toBe(401)
    expect(await statusOf(session)).toBe(200)
  })

  it('requires the current password', async () => {
    const session = await guidance().signUp('Ben')
    const answer = await update(session, { email: 'ben2@example.org' })
    expect(answer).toMatchObject({ status: 422, body: { code: 'incorrect_password' } })
    expect((await accountOf(guidance(), session)).unconfirmed_email).toBeNull()
  })

  it('does not reveal that it is in use until it is confirmed', async () => {
    const session = await guidance().signUp('Cleo')
    const dora = await guidance().person('Dora')
    const free = await update(session, { email: 'free@example.org', current_password: PASSWORD })
    await mail.next()
    const taken = await update(session, { email: dora.email, current_password: PASSWORD })
    expect(taken.body).toEqual(free.body)
    const secret = secretIn(linkIn(await mail.next()))
    expect(await useSecret(guidance().nobody, 'confirmation', secret)).toMatchObject({
      status: 422,
      body: { code: 'validation_failed' },
    })
    expect((await accountOf(guidance(), dora)).name).toBe('Dora')
    expect((await logIn(guidance().nobody, 'cleo@example.org')).status).toBe(200)
  })

  it('can be requested again, and only the last link works', async () => {
    const session = await guidance().signUp('Emil')
    const secrets: string[] = []
    for (const email of ['emil2@example.org', 'emil3@example.org']) {
      await update(session, { email, current_password: PASSWORD })
      secrets.push(secretIn(linkIn(await mail.next())))
    }
    const statuses: number[] = []
    for (const secret of secrets) statuses.push((await useSecret(guidance().nobody, 'confirmation', secret)).status)
    expect(statuses).toEqual([422, 200])
    await mail.next()
    expect((await accountOf(guidance(), session)).email).toBe('emil3@example.org')
  })

  it('invalidates reset links sent to the old one', async () => {
    const session = await guidance().signUp('Fred')
    await guidance().nobody.call('POST', '/users/password', { body: { user: { email: session.email } } })
    const reset = secretIn(linkIn(await mail.next()))
    await update(session, { email: 'fred2@example.org', current_password: PASSWORD })
    const secret = secretIn(linkIn(await mail.next()))
    await useSecret(guidance().nobody, 'confirmation', secret)
    await mail.next()
    const path = `/users/password/edit?reset_password_token=${reset}`
    expect((await guidance().nobody.call('GET', path)).body).toEqual({ valid: false })
  })
})

describe('A new password of the own account, with mail', () => {
  it('is announced by mail', async () => {
    const session = await guidance().signUp('Gus')
    await update(session, { password: NEW_PASSWORD, current_password: PASSWORD })
    const notice = await mail.next()
    expect(notice).toMatchObject({ recipients: [session.email] })
    expect(notice.text).not.toContain(NEW_PASSWORD)
  })

  it('is announced to the old address if the address changes, too', async () => {
    const session = await guidance().signUp('Hal')
    await update(session, { password: NEW_PASSWORD, email: 'hal2@example.org', current_password: PASSWORD })
    const messages = [await mail.next(), await mail.next()]
    const recipients = messages.flatMap((message) => message.recipients)
    expect(recipients.toSorted()).toEqual([session.email, 'hal2@example.org'].toSorted())
  })
})

function update(session: SessionClient, user: Readonly<Record<string, unknown>>) {
  return session.call('PUT', '/users', { body: { user } })
}
