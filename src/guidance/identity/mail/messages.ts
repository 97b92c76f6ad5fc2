import type { MailAddress } from './address.ts'

const LENGTH = 64

/** Line breaks and other controls, unpaired surrogates, and marks that change the direction of text. */
const UNFIT_CHARACTERS = /[\s\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu

/** Mail programs may turn these into a link or an address. */
const LIKE_A_LINK = /[/:@]|[\p{L}\p{N}][.。．｡][\p{L}\p{N}]{2}/u

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** A plain text mail. */
export interface Message {
  readonly to: MailAddress
  readonly subject: string
  readonly text: string
}

export interface Recipient {
  /** The address, without a name. */
  readonly to: string
  /** As stored in the account; messages use `greetingName`. */
  readonly name: string
}

export interface LinkRecipient extends Recipient {
  readonly link: string
}

export interface TimedLinkRecipient extends LinkRecipient {
  readonly validForMs: number
}

export function resetPasswordMessage(recipient: TimedLinkRecipient): Message {
  return compose(recipient, 'Reset your Parapet password', [
    'Somebody asked to reset the password of your Parapet account. Open this link to choose a new one:',
    recipient.link,
    validity(recipient),
    'If it was not you who asked, ignore this mail. Your password stays as it is.',
  ])
}

export function confirmAddressMessage(recipient: TimedLinkRecipient): Message {
  return compose(recipient, 'Confirm your e-mail address for Parapet', [
    'Somebody gave this address for a Parapet account. If it was you, open this link to confirm it:',
    recipient.link,
    validity(recipient),
    'If it was not you, ignore this mail. Without the link the address is not used.',
  ])
}

export function unlockAccountMessage(recipient: TimedLinkRecipient): Message {
  return compose(recipient, 'Your Parapet account is locked', [
    'Your Parapet account was locked after too many attempts to sign in. Open this link to unlock it:',
    recipient.link,
    validity(recipient),
    'If the attempts were not yours, somebody may be guessing your password. Make sure that it is a strong one.',
  ])
}

/** `link` leads to the page where a password reset is requested; it is not secret. */
export function alreadyRegisteredMessage(recipient: LinkRecipient): Message {
  return compose(recipient, 'You already have a Parapet account', [
    'Somebody tried to register a Parapet account with this address, but it has one already. If you have forgotten your password, you can reset it here:',
    recipient.link,
    'If it was not you, ignore this mail. Nothing has changed.',
  ])
}

/** Sent to the old address; does not contain the new one. */
export function addressChangedMessage(recipient: Recipient): Message {
  return compose(recipient, 'The e-mail address of your Parapet account was changed', [
    'The e-mail address of your Parapet account was changed. No more mail about it comes to this address.',
    'If it was not you who changed it, tell an administrator of the service at once.',
  ])
}

export interface PasswordRecipient extends Recipient {
  readonly by: 'owner' | 'administrator'
  /** Number of revoked personal access tokens; null if they were kept. */
  readonly revoked: number | null
}

export function passwordChangedMessage(recipient: PasswordRecipient): Message {
  const change = recipient.by === 'owner' ? 'was changed' : 'was set by an administrator'
  return compose(recipient, 'Your Parapet password was changed', [
    `The password of your Parapet account ${change}. Sessions elsewhere were ended.`,
    describeTokens(recipient.revoked),
    'If it was not you who changed it, reset it at once and tell an administrator of the service.',
  ])
}

function describeTokens(revoked: number | null): string {
  if (revoked === null) return 'Your personal access tokens were left as they are.'
  if (revoked === 0) return 'There were no personal access tokens to revoke.'
  return `${countUnits(revoked, 'personal access token')} of yours ${revoked === 1 ? 'was' : 'were'} revoked: programs that use them need new ones.`
}

export const SECOND_FACTOR_RESET = 'An administrator removed the second factor of your Parapet account.'

export function secondFactorChangedMessage(recipient: Recipient, event: string): Message {
  return compose(recipient, 'The second factor of your Parapet account was changed', [
    event,
    'If this was not you, change your password at once and tell an administrator of the service.',
  ])
}

interface LinkedRecipient extends Recipient {
  readonly provider: 'oidc' | 'ldap'
}

export interface UnlinkedRecipient extends LinkedRecipient {
  readonly by: 'owner' | 'administrator'
}

export function identityLinkedMessage(recipient: LinkedRecipient): Message {
  return compose(recipient, 'A way to sign in to your Parapet account was added', [
    `An identity at a provider (${nameOfProvider(recipient)}) was linked with your Parapet account and can now be used to sign in to it.`,
    'If it was not you, unlink it on your account page, and tell an administrator of the service.',
  ])
}

function nameOfProvider({ provider }: LinkedRecipient): string {
  return provider === 'ldap' ? 'LDAP' : 'OpenID Connect'
}

export function identityUnlinkedMessage(recipient: UnlinkedRecipient): Message {
  const providerName = nameOfProvider(recipient)
  const sentence =
    recipient.by === 'owner'
      ? `An identity at a provider (${providerName}) was unlinked from your Parapet account.`
      : `An administrator unlinked an identity at a provider (${providerName}) from your Parapet account, and ended your sessions.`
  return compose(recipient, 'A way to sign in to your Parapet account was removed', [
    `${sentence} It can no longer be used to sign in to this account.`,
    'If this was not you, look at your account page, and tell an administrator of the service.',
  ])
}

export function recoveryCodeUsedMessage(recipient: Recipient, remaining: number): Message {
  return compose(recipient, 'A recovery code of your Parapet account was used', [
    `Somebody signed in to your Parapet account with a recovery code. ${countUnits(remaining, 'code')} ${remaining === 1 ? 'is' : 'are'} left.`,
    'If it was not you, change your password at once, make new recovery codes, and tell an administrator of the service.',
  ])
}

/** For an account that an administrator made; `link` leads to the page where a password is chosen. */
export function accountCreatedMessage(recipient: TimedLinkRecipient): Message {
  return compose(recipient, 'A Parapet account was created for you', [
    'An administrator created a Parapet account for you. Open this link to choose a password:',
    recipient.link,
    validity(recipient),
    'If you did not expect this, ignore this mail.',
  ])
}

/** `paragraphs` list the new releases, the refused files, and the consequences. */
export function catalogueNewsMessage(recipient: Recipient, paragraphs: readonly string[]): Message {
  return compose(recipient, 'New in the catalogue of Parapet', paragraphs)
}

function compose({ to, name }: Recipient, subject: string, body: readonly string[]): Message {
  const shownName = greetingName(name)
  const greeting = shownName === '' ? 'Hello,' : `Hello ${shownName},`
  const end = 'This mail was sent by a program. Answers to it are not read.'
  return {
    to: { name: shownName, address: to },
    subject,
    text: `${[greeting, ...body, end].join('\n\n')}\n`,
  }
}

function validity({ validForMs }: TimedLinkRecipient): string {
  return `The link works once, and for ${inWords(validForMs)}.`
}

/** Whole minutes, rounded down, in the largest unit that fits: `90 minutes`, `1 day`. */
function inWords(ms: number): string {
  const minutes = Math.max(1, Math.floor(ms / 60_000))
  if (minutes % 1440 === 0) return countUnits(minutes / 1440, 'day')
  if (minutes % 60 === 0) return countUnits(minutes / 60, 'hour')
  return countUnits(minutes, 'minute')
}

function countUnits(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/**
 * Returns the name for a mail: one line of at most 64 characters. Empty if it looks like a link: otherwise anybody
 * could register somebody else's address with a link as the name, and the mail would contain it.
 */
function greetingName(name: string): string {
  const line = name.replace(UNFIT_CHARACTERS, ' ').trim()
  if (LIKE_A_LINK.test(line)) return ''
  const letters = [...characters.segment(line)].map(({ segment }) => segment)
  return letters.length <= LENGTH ? line : `${letters.slice(0, LENGTH - 1).join('')}…`
}
