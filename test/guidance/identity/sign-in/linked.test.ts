import { afterAll, expect, it } from 'vitest'
import { findLinkingUser } from '../../../../src/guidance/identity/sign-in/link-endpoint.ts'
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

it.each([
  ['within the time that was given', 60_000, false, 7],
  ['after that time', -1, false, null],
  ['in a session that has timed out', 60_000, true, null],
] as const)('A request to link an identity counts %s: %i, %s', (_title, remainingMs, timedOut, userId) => {
  const data = { userId: 7, linkingUntil: Date.now() + remainingMs }
  expect(findLinkingUser({ data, timedOut })).toBe(userId)
})
