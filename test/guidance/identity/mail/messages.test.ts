import { describe, expect, it } from 'vitest'
import {
  accountCreatedMessage,
  addressChangedMessage,
  alreadyRegisteredMessage,
  confirmAddressMessage,
  identityLinkedMessage,
  identityUnlinkedMessage,
  passwordChangedMessage,
  resetPasswordMessage,
  unlockAccountMessage,
  type Message,
} from '../../../../src/guidance/identity/mail/messages.ts'
import { startMail } from '../../../support/mail-server.ts'

const ADA = { to: 'ada@example.org', name: 'Ada Lovelace' }
const LINKED = { ...ADA, link: 'https://parapet.example/link/abc', validForMs: 7_200_000 }

const WITH_LINK: readonly (readonly [string, Message])[] = [
  ['reset a password', resetPasswordMessage(LINKED)],
  ['confirm an address', confirmAddressMessage(LINKED)],
  ['unlock an account', unlockAccountMessage(LINKED)],
  ['choose a first password', accountCreatedMessage(LINKED)],
]

const NOTICES: readonly (readonly [string, Message])[] = [
  ['an account that exists already', alreadyRegisteredMessage(LINKED)],
  ['a changed address', addressChangedMessage(ADA)],
  ['a changed password', passwordChangedMessage({ ...ADA, by: 'owner', revoked: 2 })],
  ['a linked identity', identityLinkedMessage({ ...ADA, provider: 'oidc' })],
  ['an unlinked identity', identityUnlinkedMessage({ ...ADA, by: 'owner', provider: 'ldap' })],
]

describe('A message', () => {
  it.each([...WITH_LINK, ...NOTICES])('on how to %s arrives unchanged', async (_what, message) => {
    const { server, mailer } = await startMail()
    mailer.send(message)
    const { to, subject, text } = await server.next()
    expect({ to, subject, text }).toEqual({ ...message, to: 'ada@example.org' })
    expect(text).toMatch(/^Hello Ada Lovelace,\n\n/)
  })

  it.each(WITH_LINK)('to %s has the link on a separate line and states how long it is valid', (_what, message) => {
    expect(message.text.split('\n')).toContain(LINKED.link)
    expect(message.text).toContain('The link works once, and for 2 hours.')
  })

  it('has a distinct subject without link and name', () => {
    const subjects = [...WITH_LINK, ...NOTICES].map(([, { subject }]) => subject)
    expect(new Set(subjects).size).toBe(9)
    expect(subjects.join()).not.toMatch(/https|Ada/)
  })

  it('to a person who already has an account links to the page for a new password', () => {
    const { text } = alreadyRegisteredMessage(LINKED)
    expect(text.split('\n')).toContain(LINKED.link)
    expect(text).not.toContain('works once')
  })
})

describe('The validity of a link', () => {
  it.each([
    [60_000, '1 minute'],
    [30_000, '1 minute'],
    [119_999, '1 minute'],
    [15 * 60_000, '15 minutes'],
    [60 * 60_000, '1 hour'],
    [90 * 60_000, '90 minutes'],
    [24 * 3_600_000, '1 day'],
    [36 * 3_600_000, '36 hours'],
    [7 * 86_400_000, '7 days'],
  ])('of %i ms is written as %s', (validForMs, words) => {
    expect(resetPasswordMessage({ ...LINKED, validForMs }).text).toContain(`for ${words}.`)
  })
})

describe('The name in a message', () => {
  it.each([
    ['Ada\r\n\r\nPay here', 'Ada Pay here'],
    ['  Ada \t\u0000 Lovelace\u2028', 'Ada Lovelace'],
    ['Ada\u202eecalevoL', 'Ada ecalevoL'],
    ['\ud83dAda', 'Ada'],
    ['👩‍💻 Ada', '👩‍💻 Ada'],
    ['עדה لوفلايس', 'עדה لوفلايس'],
    ["J. R. O'Neill, Jr.", "J. R. O'Neill, Jr."],
  ])('%j is written as %j', (name, written) => {
    expectName(name, written)
  })

  it.each([
    'Claim your prize at evil.example.net',
    'https://evil.example.net',
    '192.168.1.20',
    'evil。example',
    'mailto:evil',
    'evil@example.net',
    '',
    ' \r\n',
  ])('%j is omitted', (name) => {
    const { to, text } = resetPasswordMessage({ ...LINKED, name })
    expect(to).toEqual({ name: '', address: 'ada@example.org' })
    expect(text).toMatch(/^Hello,\n\n/)
  })

  it('is cut after 64 characters, between two visible characters', () => {
    expectName('👩‍💻'.repeat(64), '👩‍💻'.repeat(64))
    expectName('👩‍💻'.repeat(255), `${'👩‍💻'.repeat(63)}…`)
  })
})

function expectName(name: string, written: string): void {
  const { to, text } = resetPasswordMessage({ ...LINKED, name })
  expect(to.name).toBe(written)
  expect(text.split('\n')[0]).toBe(`Hello ${written},`)
}
