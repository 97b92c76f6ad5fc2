import { Refusal } from '../../../platform/errors.ts'
import type { LinkPurpose } from '../../database/schema/links.ts'
import type { Writer } from '../../database/transaction.ts'
import type { Message, TimedLinkRecipient } from '../mail/messages.ts'
import type { IdentityParts } from '../parts.ts'
import type { User } from '../users/reader.ts'
import { LINK_MS, makeLink, type NewLink } from './links.ts'

/** The sentence does not depend on whether there is an account, so that accounts cannot be probed. */
export const SENT_MESSAGE = 'If there is an account with this address, a mail with a link is on its way.'

const PAGES: Record<LinkPurpose, string> = {
  reset_password: '/users/password/edit?reset_password_token=',
  confirm_email: '/users/confirmation?confirmation_token=',
  unlock: '/users/unlock?unlock_token=',
  setup: '/setup?token=',
}

/** The URL of the page where a link is used. */
export async function makeAccountLink(
  writer: Writer,
  { keys, baseUrl }: Pick<IdentityParts, 'keys' | 'baseUrl'>,
  link: NewLink,
): Promise<string> {
  return `${baseUrl}${PAGES[link.purpose]}${await makeLink(writer, keys.link, link)}`
}

export interface LinkMail {
  readonly purpose: LinkPurpose
  readonly user: Pick<User, 'id' | 'name'>
  readonly to: string
  readonly compose: (recipient: TimedLinkRecipient) => Message
}

/** Makes a link and mails it. The caller must have checked that mail is set up. */
export async function mailLink(
  parts: Pick<IdentityParts, 'database' | 'keys' | 'baseUrl' | 'mailer'>,
  { purpose, user, to, compose }: LinkMail,
): Promise<void> {
  const link = await parts.database.transact((writer) =>
    makeAccountLink(writer, parts, { purpose, userId: user.id, email: to }),
  )
  parts.mailer?.send(compose({ to, name: user.name, link, validForMs: LINK_MS[purpose] }))
}

/** Refuses if mail is not set up, whether or not there is an account. */
export function requireMail({ mailer }: Pick<IdentityParts, 'mailer'>): void {
  if (mailer === null) throw new Refusal('mail_not_configured', 'No link can be mailed. Ask an administrator for one.')
}

/**
 * Runs work after the answer, so that the time of the answer does not reveal whether there is an account. Errors are
 * only logged.
 */
export function runAfterAnswer(parts: Pick<IdentityParts, 'log'>, work: () => Promise<void>): void {
  setImmediate(() => {
    work().catch((error: unknown) => {
      parts.log.error({ err: error }, 'Work that was left after an answer has failed')
    })
  })
}

export function refuseLink(): Refusal {
  return new Refusal('link_invalid', 'This link was used, is too old or never existed. Ask for another.')
}
