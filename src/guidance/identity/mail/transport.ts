import { createTransport, type SMTPPoolOptions, type Transporter } from 'nodemailer'
import { Refusal } from '../../../platform/errors.ts'

/** How many connections are open at a time. */
export const CONNECTIONS = 2

/** Shorter than the socket's timeout, so that an idle connection ends with a QUIT. */
const IDLE_MS = 5000

/** The parameters that the URL may have. Options that would log the mail are not among them. */
const PARAMETERS = [
  'requireTLS',
  'ignoreTLS',
  'authMethod',
  'name',
  'tls.rejectUnauthorized',
  'tls.servername',
  'tls.minVersion',
]

/**
 * A pool of connections to the server that the URL names. `smtps://` speaks TLS from the start (port
 * 465). `smtp://` (port 587) upgrades with STARTTLS (RFC 3207) whenever the server offers it, and with
 * `?requireTLS=true` sends nothing unless it does. A certificate that does not verify ends the
 * connection. Throws `setting_invalid` without repeating the URL, which holds a password.
 */
export function createPool(smtpUrl: string, timeoutMs: number): Transporter<unknown, SMTPPoolOptions> {
  if (!isUsable(smtpUrl)) throw unusableRefusal()
  return createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: CONNECTIONS,
    idleTimeout: IDLE_MS,
    // A server may close an idle connection just as it is used again.
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
  const known = [...searchParams.keys()].every((name) => PARAMETERS.includes(name))
  return known && (protocol === 'smtp:' || protocol === 'smtps:')
}

function unusableRefusal(): Refusal {
  return new Refusal(
    'setting_invalid',
    'SERVICE_SMTP_URL: must be smtp://user:password@host:port or smtps://…, with special characters ' +
      `of the password percent-encoded, and no parameter but ${PARAMETERS.join(', ')}.`,
  )
}
