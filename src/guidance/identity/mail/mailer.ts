import { createTransport, type SMTPPoolOptions, type Transporter } from 'nodemailer'
import { Refusal } from '../../../platform/errors.ts'
import type { Log } from '../../../platform/log.ts'
import { isAddress, type MailAddress, readSender } from './address.ts'
import { readFailure } from './failure.ts'
import type { Message } from './messages.ts'
import { Outbox } from './outbox.ts'

/** Limit of open connections. */
const CONNECTIONS = 2

/** Shorter than the timeout of the socket, so that an idle connection ends with a QUIT. */
const IDLE_MS = 5000

/** The allowed parameters of the URL. Options that would log the mail are not allowed. */
const PARAMETERS = [
  'requireTLS',
  'ignoreTLS',
  'authMethod',
  'name',
  'tls.rejectUnauthorized',
  'tls.servername',
  'tls.minVersion',
]

export interface MailOptions {
  readonly smtpUrl: string
  /** `Name <address>` or `address`. */
  readonly from: string
  readonly log: Log
  readonly limits?: Partial<MailLimits>
}

/** Times in milliseconds. */
export interface MailLimits {
  /** Messages that are queued or being delivered. */
  readonly capacity: number
  /** Limit for each step: resolving a name, connecting, and each answer of the server. */
  readonly timeoutMs: number
  /** Limit for a whole delivery, even if the server keeps answering. */
  readonly deliveryMs: number
  /** The wait before each further attempt. */
  readonly retryDelaysMs: readonly number[]
  /** How long closing waits for deliveries. */
  readonly closeMs: number
}

const LIMITS: MailLimits = {
  capacity: 1000,
  timeoutMs: 10_000,
  deliveryMs: 60_000,
  retryDelaysMs: [5000, 60_000],
  closeMs: 5000,
}

/** Time in which the server must release closed connections. */
const CUT_MS = 1000

/**
 * Sends mail through one SMTP server; {@link createPool} describes how the connection is secured. The queue is only in
 * memory: people can request a lost mail again.
 */
export class Mailer {
  readonly #log: Log
  readonly #limits: MailLimits
  readonly #sender: MailAddress
  readonly #pool: ReturnType<typeof createPool>
  readonly #outbox: Outbox<Message>

  /** Throws `setting_invalid` for an unusable URL or sender. Opens no connection yet. */
  constructor({ smtpUrl, from, log, limits = {} }: MailOptions) {
    this.#log = log
    this.#limits = { ...LIMITS, ...limits }
    this.#sender = readSender(from)
    this.#pool = createPool(smtpUrl, this.#limits.timeoutMs)
    this.#outbox = new Outbox({
      capacity: this.#limits.capacity,
      width: CONNECTIONS,
      retryDelaysMs: this.#limits.retryDelaysMs,
      deliver: (message) => this.#deliver(message),
      isPassing: (error) => !readFailure(error).permanent,
      onLost: (message, error) => {
        this.#logLoss(message, readFailure(error).reason)
      },
    })
  }

  /**
   * Puts the message in a bounded queue and returns at once, so that the time of an answer does not reveal whether mail
   * is sent. Never throws: an undeliverable message is logged with recipient, subject and reason, but without its text,
   * which contains a secret link.
   */
  send(message: Message): void {
    if (!isAddress(message.to.address)) {
      this.#logLoss(message, 'this is not an address')
    } else if (!this.#outbox.put(message)) {
      this.#logLoss(message, this.#outbox.closed ? 'the service is stopping' : 'the queue is full')
    }
  }

  /** Waits at most a few seconds for deliveries, then closes the connections. */
  async close(): Promise<void> {
    const undelivered = await this.#outbox.close(this.#limits.closeMs)
    for (const message of undelivered) this.#logLoss(message, 'the service is stopping')
    this.#pool.close({ force: true })
    await this.#outbox.idle(CUT_MS)
  }

  async #deliver({ to, subject, text }: Message): Promise<void> {
    await this.#pool.sendMail({
      from: this.#sender,
      to,
      subject,
      text,
      // RFC 3834: keeps out-of-office programs from answering.
      headers: { 'Auto-Submitted': 'auto-generated' },
      signal: AbortSignal.timeout(this.#limits.deliveryMs),
    })
  }

  #logLoss({ to, subject }: Message, reason: string): void {
    this.#log.error({ recipient: to.address, subject, reason }, 'A mail could not be delivered')
  }
}

/**
 * Creates a pool of connections to the server of the URL. `smtps://` (port 465) uses TLS from the start. `smtp://`
 * (port 587) upgrades with STARTTLS (RFC 3207) if the server offers it; with `?requireTLS=true`, nothing is sent
 * without it. An invalid certificate ends the connection. Throws `setting_invalid` without the URL, which contains a
 * password.
 */
function createPool(smtpUrl: string, timeoutMs: number): Transporter<unknown, SMTPPoolOptions> {
  if (!isUsable(smtpUrl)) throw unusableRefusal()
  return createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: CONNECTIONS,
    idleTimeout: IDLE_MS,
    // The server may close an idle connection just before it is used again.
    maxRequeues: 1,
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  })
}

function isUsable(smtpUrl: string): boolean {
  if (!URL.canParse(smtpUrl)) return false
  const { protocol, hostname, hash, searchParams } = new URL(smtpUrl)
  if (hostname === '' || hash !== '') return false
  const areKnown = [...searchParams.keys()].every((name) => PARAMETERS.includes(name))
  return areKnown && (protocol === 'smtp:' || protocol === 'smtps:')
}

function unusableRefusal(): Refusal {
  return new Refusal(
    'setting_invalid',
    'SERVICE_SMTP_URL: must be smtp://user:password@host:port or smtps://…, with special characters ' +
      `of the password percent-encoded, and no parameter but ${PARAMETERS.join(', ')}.`,
  )
}
