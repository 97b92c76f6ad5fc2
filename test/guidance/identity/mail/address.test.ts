import { describe, expect, it } from 'vitest'
import { readSender } from '../../../../src/guidance/identity/mail/address.ts'
import { LINK, mailTo, startMail, type ReceivedMail } from '../../../support/mail-server.ts'

const EVIL = 'x\r\nBcc: evil@example.net\r\n\r\nBuy this'

const HEADERS = [
  'Auto-Submitted',
  'From',
  'To',
  'Subject',
  'Message-ID',
  'Content-Transfer-Encoding',
  'Date',
  'MIME-Version',
  'Content-Type',
]

describe('A name', () => {
  it.each([
    ['line breaks', EVIL],
    ['line feeds', EVIL.replaceAll('\r', '')],
    ['carriage returns', EVIL.replaceAll('\n', '')],
    ['quotes', 'Ada" <evil@example.net>, "Bob'],
    ['a backslash at the end', 'Ada \\'],
    ['commas and brackets', 'a, evil@example.net, <evil@example.net>; (b'],
    ['an encoded word', '=?utf-8?Q?=0D=0ABcc:_evil@example.net?='],
    ['a null', 'a\u0000b'],
    ['half a character', 'a\ud83d'],
  ])('with %s adds neither a header nor a recipient', async (_what, name) => {
    const { server, mailer } = await startMail()
    mailer.send(mailTo('ada@example.org', { name }))
    expectOnlyAda(await server.next())
  })

  it.each([
    ['emoji', '👩‍💻 Ada 🏳️‍🌈'],
    ['right to left', 'עדה لوفلايس'],
    ['255 characters', 'Ünïcödé '.repeat(32).slice(0, 255)],
    ['255 emoji', '🛡️'.repeat(255)],
    ['quotes, commas and brackets', `"Ada", (Countess) <of> 'Lovelace'; \\`],
  ])('of %s is sent unchanged', async (_what, name) => {
    const { server, mailer } = await startMail()
    mailer.send(mailTo('ada@example.org', { name }))
    const mail = await server.next()
    expectOnlyAda(mail)
    const written = mail.headers.find((header) => header.startsWith('To: ')) ?? ''
    const shown = written.slice('To: '.length, -' <ada@example.org>'.length)
    expect(shown.replace(/^"(.*)"$/, '$1').replace(/\\(["\\])/g, '$1')).toBe(name)
    expect(Math.max(...mail.raw.split('\r\n').map(({ length }) => length))).toBeLessThan(79)
  })
})

describe('A subject', () => {
  it('with line breaks adds neither a header nor a recipient', async () => {
    const { server, mailer } = await startMail()
    mailer.send(mailTo('ada@example.org', { subject: EVIL }))
    expectOnlyAda(await server.next())
  })
})

describe('An address', () => {
  it.each([
    'ada@example.org\r\nBcc: evil@example.net',
    'ada@example.org, evil@example.net',
    'ada@example.org; evil@example.net',
    'ada@example.org> RCPT TO:<evil@example.net',
    'Ada <ada@example.org>',
    'friends: ada@example.org, evil@example.net;',
    'ada@example.org evil@example.net',
    'ada@evil@example.net',
    'ada\u0000@example.org',
    '"ada\r\n"@example.org',
    'ada@example.org\n',
    '@example.org',
    'ada@',
    'ada',
    '',
  ])('%j is rejected, logged and not used', async (address) => {
    const { server, mailer, lines } = await startMail()
    mailer.send(mailTo(address))
    expect(lines()).toMatchObject([{ recipient: address, reason: 'this is not an address' }])
    await mailer.close()
    expect(server.attempts()).toBe(0)
  })

  it.each([
    'ada+parapet@example.org',
    "o'brien@example.org",
    '"ada,lovelace"@example.org',
    'zoë@example.org',
    'ada@localhost',
    'ada@[127.0.0.1]',
  ])('%s is unusual but valid', async (address) => {
    const { server, mailer } = await startMail()
    mailer.send(mailTo(address))
    expect((await server.next()).recipients).toEqual([address])
  })
})

describe('The sender of all mail', () => {
  it.each([
    ['Parapet <parapet@example.org>', { name: 'Parapet', address: 'parapet@example.org' }],
    ['parapet@example.org', { name: '', address: 'parapet@example.org' }],
  ])('%s is one address', (text, sender) => {
    expect(readSender(text)).toEqual(sender)
  })

  it.each([
    '',
    'Parapet',
    'Parapet <parapet>',
    'a@example.org, b@example.org',
    'Parapet <a@example.org>, b@',
    'friends: a@example.org, b@example.org;',
    'friends: a@example.org;, b@example.org',
  ])('cannot be %j', (text) => {
    expect(() => readSender(text)).toThrow(
      expect.objectContaining({
        code: 'setting_invalid',
        message: 'SERVICE_SMTP_FROM: must be one address, such as Parapet <parapet@example.org>.',
      }),
    )
  })
})

function expectOnlyAda({ to, recipients, text, raw }: ReceivedMail): void {
  expect(to).toBe('ada@example.org')
  expect(recipients).toEqual(['ada@example.org'])
  expect(text).toBe(`${LINK}\n`)
  const [head = ''] = raw.split('\r\n\r\n')
  const lines = head.split(/[\r\n]+/).filter((line) => !/^[ \t]/.test(line))
  expect(lines.map((line) => line.split(':')[0])).toEqual(HEADERS)
}
