import { z } from 'zod'
import { messageOf } from '../../../platform/errors.ts'

const REASON_CHARACTERS = 300

/** Commands before the text of a message. Answers to them cannot quote the text. */
const BEFORE_THE_TEXT = new Set(['EHLO', 'HELO', 'STARTTLS', 'MAIL FROM', 'RCPT TO'])

const word = z.string().optional().catch(undefined)

/** The fields of Nodemailer's errors that are used here; its messages may quote the mail. */
const deliveryError = z.object({
  code: word,
  originalCode: word,
  command: word,
  /** The answer of the server. An answer of another type counts as an empty one. */
  response: z.string().optional().catch(''),
  permanent: z.boolean().optional().catch(undefined),
})

export interface MailFailure {
  /** Safe to log: contains neither the text of a message nor a credential. */
  readonly reason: string
  /** Whether another attempt would fail in the same way (RFC 5321, section 4.2.1: 5yz). */
  readonly permanent: boolean
}

export function readFailure(error: unknown): MailFailure {
  const { data } = deliveryError.safeParse(error)
  const { code, originalCode = code, response, command = '', permanent = false } = data ?? {}
  const quotesNothing = response === undefined || BEFORE_THE_TEXT.has(command)
  const sentence = quotesNothing ? messageOf(error) : `the server answered ${statusOf(response)}`
  const parts = [originalCode, command, sentence].filter((part) => part !== undefined && part !== '')
  return { reason: parts.join(': ').slice(0, REASON_CHARACTERS), permanent }
}

/** Returns only the numbers of an answer (RFC 5321 and RFC 3463): `550 5.7.1`. */
function statusOf(response: string): string {
  const [, code, enhanced] = /^(\d{3})(?:[ -](\d\.\d{1,3}\.\d{1,3})\b)?/.exec(response) ?? []
  if (code === undefined) return 'something unreadable'
  return enhanced === undefined ? code : `${code} ${enhanced}`
}
