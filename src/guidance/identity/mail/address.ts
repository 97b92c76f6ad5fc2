import addressparser from 'nodemailer/lib/addressparser'
import { Refusal } from '../../../platform/errors.ts'

export interface MailAddress {
  /** The display name; may be empty. */
  readonly name: string
  readonly address: string
}

const ADDRESS =
  /^(?:[^\s"(),:;<>@[\]\\\p{C}]+|"(?:[^"\\\p{C}]|\\[^\p{C}])+")@(?:[^\s"(),:;<>@[\]\\\p{C}]+|\[[\w.:]+\])$/u

/**
 * Whether the text is a single address (RFC 5321 `Mailbox`, with the letters of RFC 6531). False for a text that mail
 * software would rewrite before sending: the mail could go to somebody else.
 */
export function isAddress(text: string): boolean {
  return ADDRESS.test(text)
}

/** Reads `Name <address>` or `address`, exactly one; throws `setting_invalid` otherwise. */
export function readSender(from: string): MailAddress {
  const [sender, ...others] = addressparser(from, { flatten: true })
  if (sender === undefined || others.length > 0 || !isAddress(sender.address)) {
    throw new Refusal(
      'setting_invalid',
      'SERVICE_SMTP_FROM: must be one address, such as Parapet <parapet@example.org>.',
    )
  }
  return { name: sender.name, address: sender.address }
}
