import { expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../../support/folder.ts'
import { addRow, ago, messagesOf } from '../../../support/guidance-records.ts'
import { PASSWORD, startGuidance, type Person } from '../../../support/guidance.ts'
import { startMailServer } from '../../../support/mail-server.ts'

it('An owner or an administrator unlinks an identity, and the owner is notified by mail', async () => {
  const mail = await startMailServer()
  onTestFinished(() => mail.close())
  const guidance = await startGuidance(await temporaryFolder(), { SERVICE_SMTP_URL: mail.url })
  onTestFinished(() => guidance.service.close())
  const root = await guidance.person('Root', { admin: true })
  const ada = await guidance.signUp('Ada')
  const identityId = await addIdentity('ldap', ada)
  const body = { identity_id: identityId, current_password: PASSWORD }
  expect(await ada.call('POST', '/users/unlink_identity', { body })).toMatchObject({
    status: 200,
    body: { provider: 'ldap' },
  })
  const first = await mail.next()
  expect([first.recipients, first.subject]).toEqual([
    [ada.email],
    'A way to sign in to your Parapet account was removed',
  ])
  expect(first.text).toContain('An identity at a provider (LDAP) was unlinked')

  const boss = await guidance.signIn(root.email)
  const path = `/users/${ada.id}/unlink_identity`
  const given = { body: { identity_id: await addIdentity('oidc', ada) } }
  expect((await boss.call('POST', path, given)).status).toBe(200)
  const second = await mail.next()
  expect(second.recipients).toEqual([ada.email])
  expect(second.text).toContain('An administrator unlinked an identity at a provider (OpenID Connect)')
  expect((await boss.call('POST', path, given)).status).toBe(404)
  expect(mail.messages()).toHaveLength(2)

  const [chosenIdentity] = [await addIdentity('oidc', ada), await addIdentity('oidc', ada, 'another')]
  const again = await guidance.signIn(ada.email)
  const unlink = (chosen: object) =>
    again.call('POST', '/users/unlink_identity', { body: { ...chosen, current_password: PASSWORD } })
  expect((await unlink({})).status).toBe(422)
  expect((await unlink({ provider: 'ldap' })).status).toBe(404)
  expect((await unlink({ provider: 'ldap', identity_id: chosenIdentity })).status).toBe(404)
  expect(messagesOf(await unlink({ provider: 'oidc' }))).toEqual([
    'The account has several identities of this provider: say identity_id',
  ])
  expect((await unlink({ identity_id: chosenIdentity })).status).toBe(200)
  expect((await unlink({ provider: 'oidc' })).body).toMatchObject({ provider: 'oidc' })

  function addIdentity(provider: 'ldap' | 'oidc', { id, email }: Person, uid = email): Promise<number> {
    return addRow(guidance, 'identities', { user_id: id, provider, uid, email, created_at: ago(0) })
  }
})
