import { buffer } from 'node:stream/consumers'
import addressparser from 'nodemailer/lib/addressparser'
import { pino } from 'pino'
import { SMTPServer, type SMTPServerAddress, type SMTPServerDataStream } from 'smtp-server'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { Mailer, type MailLimits } from '../../src/guidance/identity/mail/mailer.ts'
import type { Message } from '../../src/guidance/identity/mail/messages.ts'

/** An SMTP server on a free port of this machine. */
export interface MailServer {
  /** For `SERVICE_SMTP_URL`. */
  readonly url: string
  /** Accepted messages, oldest first. */
  messages(): readonly ReceivedMail[]
  /** The first message that no earlier call has returned, waiting up to five seconds for it. */
  next(): Promise<ReceivedMail>
  /** Number of attempts to deliver, with any answer. */
  attempts(): number
  /** The largest number of connections at the same time. */
  peakConnections(): number
  openConnections(): number
  close(): Promise<void>
}

export interface ReceivedMail {
  /** The address of the header, without the name. */
  readonly to: string
  readonly from: string
  readonly subject: string
  /** Lines end with `\n`. */
  readonly text: string
  /** The addresses of the envelope, which are the real recipients. */
  readonly recipients: readonly string[]
  /** Unfolded and decoded, as `Name: value`. */
  readonly headers: readonly string[]
  readonly raw: string
}

export interface MailServerOptions {
  readonly port?: number
  /** The answer to each message, such as `451 4.7.1 Later`; null accepts it. */
  readonly answer?: (mail: ReceivedMail, attempt: number) => Answer | Promise<Answer>
  readonly answerRecipient?: (address: string) => Answer
  /** Offers STARTTLS with an untrusted certificate. */
  readonly startTls?: boolean
}

const logLine = z.record(z.string(), z.unknown())

type Answer = string | null

const WAIT_MS = 5000

export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const inbox = new Inbox()
  const traffic = { attempts: 0, open: 0, peak: 0 }
  const server = new SMTPServer({
    logger: false,
    disableReverseLookup: true,
    disabledCommands: options.startTls === true ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    closeTimeout: 50,
    onConnect: (_session, callback) => {
      traffic.open += 1
      traffic.peak = Math.max(traffic.peak, traffic.open)
      callback()
    },
    onClose: () => {
      traffic.open -= 1
    },
    onRcptTo: ({ address }, _session, callback) => {
      callback(toError(options.answerRecipient?.(address) ?? null))
    },
    onData: (stream, { envelope }, callback) => {
      traffic.attempts += 1
      const attempt = traffic.attempts
      void readMail(stream, envelope.rcptTo)
        .then(async (mail) => {
          const answer = (await options.answer?.(mail, attempt)) ?? null
          if (answer === null) inbox.add(mail)
          callback(toError(answer))
        })
        .catch(callback)
    },
  })
  // A client that cuts the connection is part of some tests.
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${portOf(server)}`,
    messages: () => inbox.all,
    next: () => inbox.next(),
    attempts: () => traffic.attempts,
    peakConnections: () => traffic.peak,
    openConnections: () => traffic.open,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve)
      }),
  }
}

/** Keeps received messages and returns one after the other. */
class Inbox {
  readonly all: ReceivedMail[] = []
  #handedOut = 0
  #whenAdded: (() => void)[] = []

  add(mail: ReceivedMail): void {
    this.all.push(mail)
    for (const wake of this.#whenAdded.splice(0)) wake()
  }

  async next(): Promise<ReceivedMail> {
    const position = this.#handedOut++
    const deadline = Date.now() + WAIT_MS
    for (;;) {
      const mail = this.all[position]
      if (mail !== undefined) return mail
      if (Date.now() >= deadline) throw new Error(`No mail number ${position + 1} has come`)
      await this.#added(deadline - Date.now())
    }
  }

  #added(atMostMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, atMostMs)
      this.#whenAdded.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }
}

function toError(answer: Answer): Error | null {
  if (answer === null) return null
  const [, code, text] = /^(\d{3}) (.*)$/.exec(answer) ?? []
  return Object.assign(new Error(text), { responseCode: Number(code) })
}

function portOf({ server }: SMTPServer): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('Not listening on a port')
  return address.port
}

async function readMail(stream: SMTPServerDataStream, recipients: readonly SMTPServerAddress[]): Promise<ReceivedMail> {
  const raw = (await buffer(stream)).toString('utf8')
  const end = raw.indexOf('\r\n\r\n')
  const headers = raw
    .slice(0, end)
    .replace(/\r\n(?=[ \t])/g, '')
    .split('\r\n')
  const encoding = valueOf(headers, 'Content-Transfer-Encoding')
  const body = decodeBody(raw.slice(end + 4), encoding.toLowerCase())
  return {
    to: addressOf(valueOf(headers, 'To')),
    from: addressOf(valueOf(headers, 'From')),
    subject: decodeWords(valueOf(headers, 'Subject')),
    text: body.replaceAll('\r\n', '\n'),
    recipients: recipients.map(({ address }) => address),
    headers: headers.map(decodeWords),
    raw,
  }
}

function valueOf(headers: readonly string[], name: string): string {
  const start = `${name.toLowerCase()}: `
  return headers.find((header) => header.toLowerCase().startsWith(start))?.slice(start.length) ?? ''
}

function addressOf(value: string): string {
  return addressparser(value, { flatten: true })[0]?.address ?? ''
}

function decodeBody(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  return encoding === 'quoted-printable' ? unescapeBytes(body.replace(/=\r\n/g, '')) : body
}

/** RFC 2047. White space between two encoded words does not count. */
function decodeWords(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_word, kind: string, data: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(data, 'base64').toString('utf8')
        : unescapeBytes(data.replaceAll('_', ' ')),
    )
}

/** `=C3=A9` is `é`, in UTF-8. */
function unescapeBytes(escaped: string): string {
  return escaped.replace(/(?:=[0-9A-F]{2})+/gi, (bytes) =>
    Buffer.from(bytes.replaceAll('=', ''), 'hex').toString('utf8'),
  )
}

/** A secret link; logs must not contain it. */
export const LINK = 'https://parapet.example/link/dGhpcyBpcyBhIHNlY3JldCBsaW5r'

export function mailTo(address: string, { name = '', subject = 'Test', text = `${LINK}\n` } = {}): Message {
  return { to: { name, address }, subject, text }
}

/** A mailer and its log, until the end of the test. */
export interface TestMailer {
  readonly mailer: Mailer
  readonly lines: () => readonly Readonly<Record<string, unknown>>[]
}

export function startMailer(smtpUrl: string, limits: Partial<MailLimits> = {}): TestMailer {
  const written: string[] = []
  const log = pino({ level: 'trace', base: null }, { write: (line) => void written.push(line) })
  const quick = { retryDelaysMs: [20, 80], timeoutMs: 1000, closeMs: 1000, ...limits }
  const mailer = new Mailer({ smtpUrl, from: 'Parapet <parapet@example.org>', log, limits: quick })
  onTestFinished(() => mailer.close())
  return { mailer, lines: () => written.map((line) => logLine.parse(JSON.parse(line))) }
}

/** A server, and a mailer that uses it; both end with the test. */
export async function startMail(
  options: MailServerOptions = {},
  limits: Partial<MailLimits> = {},
): Promise<TestMailer & { readonly server: MailServer }> {
  const server = await startMailServer(options)
  onTestFinished(() => server.close())
  return { server, ...startMailer(server.url, limits) }
}
