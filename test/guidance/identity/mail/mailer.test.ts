// @module-tag node

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Mailer } from '../../../../src/guidance/identity/mail/mailer.ts'
import { createLog } from '../../../../src/platform/log.ts'
import { LINK, mailTo, startMail } from '../../../support/mail-server.ts'
import { refusalOf } from '../../../support/refusal.ts'

describe('The mailer', () => {
  it('delivers a message unchanged', async () => {
    const { server, mailer } = await startMail()
    const text = `Hello Zoë,\n\n${LINK}?${'x'.repeat(300)}=1&y=2\n.\n..\nFrom here: 日本\n`
    mailer.send(mailTo('zoe@example.org', { subject: 'Grüße', text }))
    expect(await server.next()).toMatchObject({
      to: 'zoe@example.org',
      from: 'parapet@example.org',
      subject: 'Grüße',
      text,
      recipients: ['zoe@example.org'],
    })
  })

  it('marks its mail as automatic so that no program answers it', async () => {
    const { server, mailer } = await startMail()
    mailer.send(mailTo('ada@example.org'))
    expect((await server.next()).headers).toContain('Auto-Submitted: auto-generated')
  })

  it('delivers many messages over at most two connections, each once', async () => {
    const { server, mailer } = await startMail()
    const addresses = Array.from({ length: 30 }, (_, index) => `user${index}@example.org`)
    for (const address of addresses) mailer.send(mailTo(address))
    await mailer.close()
    const reached = server.messages().map(({ to }) => to)
    expect(reached.sort()).toEqual(addresses.sort())
    expect(server.peakConnections()).toBe(2)
  })

  it.each([
    'not a url',
    'http://mail.example.org',
    'smtp://',
    'smtp://user:hunter2#x@mail.example.org',
    'smtp://user:25#hunter2@mail.example.org',
    'smtp://user:hunter2@mail.example.org:99999',
    'smtp://user:hunter2@mail.example.org?logger=true&debug=true',
    'smtp://user:hunter2@mail.example.org?maxConnections=50',
  ])('refuses %s without quoting it', async (smtpUrl) => {
    const refusal = await refusalOf(() => new Mailer({ smtpUrl, from: 'a@example.org', log }))
    expect(refusal.code).toBe('setting_invalid')
    expect(refusal.message).not.toContain('hunter2')
  })

  it.each(['', 'Parapet', 'a@example.org, b@example.org', 'x: a@example.org, b@example.org;'])(
    'refuses the sender "%s"',
    async (from) => {
      const smtpUrl = 'smtp://127.0.0.1:1'
      const refusal = await refusalOf(() => new Mailer({ smtpUrl, from, log }))
      expect(refusal.code).toBe('setting_invalid')
    },
  )
})

describe('A full queue', () => {
  it('refuses the newest message, logs this, and accepts more when there is room', async () => {
    const { answer, open } = gate()
    const { server, mailer, lines } = await startMail({ answer }, { capacity: 3 })
    for (const name of ['a', 'b', 'c', 'd']) mailer.send(mailTo(`${name}@example.org`))
    const refused = { recipient: 'd@example.org', subject: 'Test', reason: 'the queue is full' }
    expect(lines()).toMatchObject([refused])
    await expect.poll(() => server.attempts()).toBe(2)
    mailer.send(mailTo('e@example.org'))
    expect(lines()).toHaveLength(2)
    open()
    await Promise.all([server.next(), server.next(), server.next()])
    await sleep(50)
    mailer.send(mailTo('f@example.org'))
    expect((await server.next()).to).toBe('f@example.org')
    expect(lines()).toHaveLength(2)
    expect(JSON.stringify(lines())).not.toContain(LINK)
  })

  it('counts messages that wait for another attempt', async () => {
    const { mailer, server, lines } = await startMail(
      { answer: () => '451 4.7.1 Later' },
      { capacity: 1, retryDelaysMs: [60_000] },
    )
    mailer.send(mailTo('a@example.org'))
    await expect.poll(() => server.attempts()).toBe(1)
    await sleep(50)
    mailer.send(mailTo('b@example.org'))
    expect(lines()).toMatchObject([{ recipient: 'b@example.org', reason: 'the queue is full' }])
  })
})

describe('Closing the mailer', () => {
  it('waits for messages that are sent or queued', async () => {
    const { server, mailer, lines } = await startMail({ answer: () => sleep(100, null) })
    for (const name of ['a', 'b', 'c']) mailer.send(mailTo(`${name}@example.org`))
    await mailer.close()
    expect(server.messages()).toHaveLength(3)
    expect(lines()).toEqual([])
  })

  it('makes the next attempt immediately, as the last one', async () => {
    const { server, mailer, lines } = await startMail(
      { answer: (_mail, attempt) => (attempt < 3 ? '451 4.7.1 Later' : null) },
      { retryDelaysMs: [60_000, 60_000] },
    )
    mailer.send(mailTo('a@example.org'))
    mailer.send(mailTo('b@example.org'))
    await expect.poll(() => server.attempts()).toBe(2)
    await sleep(50)
    await mailer.close()
    expect(server.messages()).toHaveLength(2)
    expect(lines()).toEqual([])
  })

  it('abandons an unresponsive server and logs every lost message', async () => {
    const { answer, open } = gate()
    onTestFinished(open)
    const { server, mailer, lines } = await startMail({ answer }, { closeMs: 100, timeoutMs: 9000 })
    for (const name of ['a', 'b', 'c']) mailer.send(mailTo(`${name}@example.org`))
    await expect.poll(() => server.attempts()).toBe(2)
    const start = performance.now()
    await mailer.close()
    expect(performance.now() - start).toBeLessThan(1000)
    const lost = lines().map(({ recipient }) => recipient)
    expect(lost.sort()).toEqual(['a@example.org', 'b@example.org', 'c@example.org'])
    expect(lines()).toContainEqual(
      expect.objectContaining({ recipient: 'c@example.org', reason: 'the service is stopping' }),
    )
  })

  it('ends the connections and can be repeated', async () => {
    const { server, mailer } = await startMail()
    mailer.send(mailTo('a@example.org'))
    await server.next()
    await Promise.all([mailer.close(), mailer.close()])
    await expect.poll(() => server.openConnections()).toBe(0)
  })

  it('refuses and logs later messages', async () => {
    const { server, mailer, lines } = await startMail()
    await mailer.close()
    mailer.send(mailTo('late@example.org'))
    expect(lines()).toMatchObject([{ recipient: 'late@example.org', reason: 'the service is stopping' }])
    expect(server.attempts()).toBe(0)
  })
})

const log = createLog('silent')

/** Holds back the answers of a server until it is opened. */
function gate(): { readonly answer: () => Promise<null>; readonly open: () => void } {
  let open: () => void = () => undefined
  const opened = new Promise<null>((resolve) => {
    open = () => {
      resolve(null)
    }
  })
  return { answer: () => opened, open }
}
