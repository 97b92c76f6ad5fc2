import { afterAll, expect, it } from 'vitest'
import { startMailServer } from '../../../support/mail-server.ts'
import { singleSignOn } from '../../../support/single-sign-on.ts'

const mail = await startMailServer()
afterAll(() => mail.close())
const { guidance, enter } = await singleSignOn(['ada', 'new'], { env: { SERVICE_SMTP_URL: mail.url } })

it("A person is notified once by mail when a provider's identity is linked to an existing account", async () => {
  const { email } = await guidance().person('Ada')
  await enter('ada')
  const { recipients, subject, text } = await mail.next()
  expect([recipients, subject]).toEqual([[email], 'A way to sign in to your Parapet account was added'])
  expect(text).toContain('An identity at a provider (OpenID Connect) was linked')

  await enter('ada')
  // Nobody had this account before.
  await enter('new')
  expect(mail.messages()).toHaveLength(1)
})
