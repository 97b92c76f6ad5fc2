import { createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readFailure } from '../../../../src/guidance/identity/mail/failure.ts'
import { LINK, mailTo, startMail, startMailer, startMailServer } from '../../../support/mail-server.ts'

describe('A failed delivery', () => {
  it('is retried twice with growing delays', async () => {
    const times: number[] = []
    const { server, mailer, lines } = await startMail({
      answer: (_mail, attempt) => {
        times.push(performance.now())
        return attempt < 3 ? '451 4.7.1 Come back later' : null
      },
    })
    mailer.send(mailTo('ada@example.org'))
    expect((await server.next()).to).toBe('ada@example.org')
    const [first = 0, second = 0, third = 0] = times
    expect(second - first).toBeGreaterThan(18)
    expect(third - second).toBeGreaterThan(78)
    expect(server.messages()).toHaveLength(1)
    expect(lines()).toEqual([])
  })

  it("is dropped and logged after the third attempt, without the server's text", async () => {
    const { server, mailer, lines } = await startMail({
      answer: ({ text }) => `451 4.7.0 I do not like ${text.trim()}`,
    })
    mailer.send(mailTo('ada@example.org', { subject: 'Reset it' }))
    await expect.poll(lines).toHaveLength(1)
    expect(server.attempts()).toBe(3)
    expect(lines()[0]).toMatchObject({
      level: 50,
      recipient: 'ada@example.org',
      subject: 'Reset it',
      reason: 'EMESSAGE: DATA: the server answered 451 4.7.0',
    })
    expect(JSON.stringify(lines())).not.toContain(LINK)
  })

  it('is not retried after a permanent refusal', async () => {
    const { server, mailer, lines } = await startMail({ answer: () => '554 5.7.1 Spam' })
    mailer.send(mailTo('ada@example.org'))
    await expect.poll(lines).toHaveLength(1)
    await sleep(60)
    expect(server.attempts()).toBe(1)
  })

  it("is logged with the server's text if that cannot quote the message", async () => {
    const { server, mailer, lines } = await startMail({ answerRecipient: () => '550 5.1.1 No such user here' })
    mailer.send(mailTo('nobody@example.org'))
    await expect.poll(lines).toHaveLength(1)
    expect(lines()[0]?.['reason']).toContain('550 5.1.1 No such user here')
    expect(server.attempts()).toBe(0)
  })

  it('does not delay other messages', async () => {
    const { server, mailer } = await startMail(
      { answerRecipient: (address) => (address.startsWith('slow') ? '450 4.2.0 Later' : null) },
      { retryDelaysMs: [60_000] },
    )
    for (const name of ['slow1', 'slow2', 'slow3', 'quick']) {
      mailer.send(mailTo(`${name}@example.org`))
    }
    expect((await server.next()).to).toBe('quick@example.org')
  })
})

describe('The reason of a failure', () => {
  const DATA = { code: 'EMESSAGE', command: 'DATA', message: 'Message failed: SECRET' }

  it.each<[properties: { message?: string; [name: string]: unknown }, reason: string]>([
    [{ ...DATA, response: '554 5.7.1 SECRET' }, 'EMESSAGE: DATA: the server answered 554 5.7.1'],
    [{ ...DATA, response: '554-5.17.123 SECRET' }, 'EMESSAGE: DATA: the server answered 554 5.17.123'],
    [{ ...DATA, response: '554 SECRET' }, 'EMESSAGE: DATA: the server answered 554'],
    [{ ...DATA, response: 'SECRET 554 5.7.1' }, 'EMESSAGE: DATA: the server answered something unreadable'],
    [{ ...DATA, response: 5 }, 'EMESSAGE: DATA: the server answered something unreadable'],
    [{ ...DATA, code: undefined, response: '554' }, 'DATA: the server answered 554'],
    [{ code: 'EAUTH', response: '535' }, 'EAUTH: the server answered 535'],
    [{ code: 'ESOCKET', originalCode: 'ECONNRESET', message: 'Gone' }, 'ECONNRESET: Gone'],
    [
      { code: 'EENVELOPE', command: 'RCPT TO', response: '550', message: 'No such user' },
      'EENVELOPE: RCPT TO: No such user',
    ],
  ])('of %j is %s', (properties, reason) => {
    expect(readFailure(Object.assign(new Error(properties.message), properties)).reason).toBe(reason)
  })

  it('has at most 300 characters', () => {
    expect(readFailure(new Error('x'.repeat(400))).reason).toBe('x'.repeat(300))
  })

  it('says whether another attempt makes sense', () => {
    expect(readFailure(Object.assign(new Error('No'), { permanent: true })).permanent).toBe(true)
    expect(readFailure(new Error('No')).permanent).toBe(false)
    expect(readFailure('No').permanent).toBe(false)
  })
})

describe('A mail server that', () => {
  it('is down loses only the messages, and the log has no secrets', async () => {
    const { mailer, lines } = startMailer('smtp://mail-user:hunter2@127.0.0.1:1')
    mailer.send(mailTo('ada@example.org'))
    mailer.send(mailTo('bob@example.org'))
    await expect.poll(lines, { timeout: 5000 }).toHaveLength(2)
    expect(lines()).toMatchObject([
      { level: 50, recipient: 'ada@example.org', subject: 'Test' },
      { level: 50, recipient: 'bob@example.org', subject: 'Test' },
    ])
    expect(lines()[0]?.['reason']).toContain('ECONNREFUSED')
    expect(JSON.stringify(lines())).not.toMatch(/hunter2|parapet\.example/)
  })

  it('recovers receives messages sent in the meantime', async () => {
    const { server, mailer } = await startMail({}, { retryDelaysMs: [300, 300] })
    const port = Number(new URL(server.url).port)
    await server.close()
    mailer.send(mailTo('ada@example.org'))
    await sleep(50)
    const successor = await startMailServer({ port })
    onTestFinished(() => successor.close())
    expect((await successor.next()).to).toBe('ada@example.org')
  })

  it('drops a connection before its reuse is connected to again immediately', async () => {
    const received: string[][] = []
    const url = await listen((socket) => {
      const texts: string[] = []
      received.push(texts)
      takeOneMail(socket, texts)
    })
    const { mailer, lines } = startMailer(url, { retryDelaysMs: [] })
    mailer.send(mailTo('ada@example.org'))
    await expect.poll(() => received[0]).toContain(LINK)
    await sleep(50)
    mailer.send(mailTo('bob@example.org'))
    await expect.poll(() => received[1]).toContain(LINK)
    expect(lines()).toEqual([])
  })

  it('is silent is disconnected after the timeout', async () => {
    const url = await listen(() => undefined)
    const { mailer, lines } = startMailer(url, { retryDelaysMs: [], timeoutMs: 100 })
    mailer.send(mailTo('ada@example.org'))
    await expect.poll(lines).toHaveLength(1)
    expect(lines()[0]?.['reason']).toContain('ETIMEDOUT')
  })

  it('sends without an end is disconnected', async () => {
    const url = await listen((socket) => {
      socket.write('220 mail.example.org\r\n')
      const timer = setInterval(() => socket.write('250-WAIT\r\n'), 20)
      socket.on('close', () => {
        clearInterval(timer)
      })
    })
    const { mailer, lines } = startMailer(url, { retryDelaysMs: [], deliveryMs: 300 })
    mailer.send(mailTo('ada@example.org'))
    await expect.poll(lines).toHaveLength(1)
    expect(lines()[0]?.['reason']).toContain('EABORT')
  })

  it('quotes the password does not get it into the log', async () => {
    const url = await listen((socket) => {
      socket.write('220 mail.example.org\r\n')
      socket.on('data', (data) => {
        const line = data.toString().trim()
        const echo = Buffer.from(line.split(' ')[2] ?? '', 'base64')
          .toString()
          .replaceAll('\0', ' ')
        const reply = line.startsWith('EHLO')
          ? '250-mail.example.org\r\n250 AUTH PLAIN'
          : `535 5.7.8 Wrong: ${line} ${echo}`
        socket.write(`${reply}\r\n`)
      })
    })
    const { mailer, lines } = startMailer(url.replace('//', '//mail-user:hunter2@'))
    mailer.send(mailTo('ada@example.org'))
    await expect.poll(lines).toHaveLength(1)
    expect(lines()[0]?.['reason']).toBe('EAUTH: AUTH PLAIN: the server answered 535 5.7.8')
  })
})

describe('STARTTLS', () => {
  it('is used if the server offers it, and an invalid certificate receives nothing', async () => {
    const { server, mailer, lines } = await startMail({ startTls: true }, { retryDelaysMs: [] })
    mailer.send(mailTo('ada@example.org'))
    await expect.poll(lines).toHaveLength(1)
    expect(lines()[0]?.['reason']).toContain('certificate')
    expect(server.attempts()).toBe(0)
  })

  it('can be required by a parameter of the URL', async () => {
    const server = await startMailServer()
    onTestFinished(() => server.close())
    const { mailer, lines } = startMailer(`${server.url}?requireTLS=true`, { retryDelaysMs: [] })
    mailer.send(mailTo('ada@example.org'))
    await expect.poll(lines).toHaveLength(1)
    expect(server.attempts()).toBe(0)
  })

  it('sends mail with an unverified certificate if the URL permits it', async () => {
    const server = await startMailServer({ startTls: true })
    onTestFinished(() => server.close())
    const { mailer } = startMailer(`${server.url}?requireTLS=true&tls.rejectUnauthorized=false`)
    mailer.send(mailTo('ada@example.org'))
    expect((await server.next()).to).toBe('ada@example.org')
  })
})

/** A server that speaks no SMTP of its own. */
async function listen(onSocket: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    onSocket(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('Not listening on a port')
  return `smtp://127.0.0.1:${address.port}`
}

/** Speaks SMTP until the second `MAIL`, which it answers by ending the connection. */
function takeOneMail(socket: Socket, texts: string[]): void {
  let taken = 0
  let inText = false
  const answer = (line: string): string => {
    if (inText) {
      texts.push(line)
      inText = line !== '.'
      return inText ? '' : '250 Taken\r\n'
    }
    inText = line === 'DATA'
    return inText ? '354 Go on\r\n' : '250 Good\r\n'
  }
  socket.write('220 mail.example.org\r\n')
  socket.on('data', (data) => {
    for (const line of data.toString().replace(/\r\n$/, '').split('\r\n')) {
      if (line.startsWith('MAIL') && ++taken === 2) socket.destroy()
      else socket.write(answer(line))
    }
  })
}
