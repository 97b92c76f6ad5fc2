import { OPERATOR } from '../../http/caller.ts'
import { Refusal } from '../../platform/errors.ts'
import { findOutdated, type OutdatedComponent } from '../authoring/components/outdated.ts'
import { importFile, type ImportOptions, type ImportStep } from '../catalogue/imports/import-file.ts'
import {
  publishCatalogue,
  type CataloguePublishOptions,
  type CataloguePublishOutcome,
} from '../catalogue/open/publish/publish.ts'
import { ReferenceReader } from '../catalogue/reference-data/importing/reference-thread.ts'
import { UploadReader } from '../catalogue/uploads/upload-thread.ts'
import { isDuplicate } from '../database/faults.ts'
import type { Writer } from '../database/transaction.ts'
import { setPassword, unlockUser } from '../identity/credentials/credentials.ts'
import type { ExternalIdentity } from '../identity/identity-providers/identity.ts'
import { dropLinks } from '../identity/links/links.ts'
import { makeAccountLink } from '../identity/links/mailed-links.ts'
import {
  catalogueNewsMessage,
  identityLinkedMessage,
  passwordChangedMessage,
  SECOND_FACTOR_RESET,
  secondFactorChangedMessage,
} from '../identity/mail/messages.ts'
import type { IdentityParts } from '../identity/parts.ts'
import { hashNewPassword } from '../identity/passwords/passwords.ts'
import { forgetWrongCodes, resetFactors } from '../identity/second-factor/factors.ts'
import { insertIdentity } from '../identity/sign-in/external.ts'
import { findAdministeredUsers, findUserByEmail, type User } from '../identity/users/reader.ts'
import { emailValue, nameValue, type AdministeredUser } from '../identity/users/schemas.ts'
import { signInMethodsOf } from '../identity/users/sign-in-methods.ts'
import { insertUser, updateUser } from '../identity/users/writer.ts'
import { resetChangeLog } from '../search-feed/log.ts'
import { openParts, type PartOptions } from './parts.ts'

interface NewAccount {
  readonly email: string
  readonly name: string
  readonly admin: boolean
}

type ProviderIdentity = Pick<ExternalIdentity, 'provider' | 'uid'>

/** Operators use this from a shell, also while the service runs. */
export interface Operator {
  /** Makes an account. Without a password, returns the link to choose one. */
  create(account: NewAccount, password: string | null): Promise<string | null>
  /** Sets a password; without one, returns the link to choose one. */
  setPassword(email: string, password: string | null): Promise<string | null>
  unlock(email: string): Promise<void>
  /** Removes the second factors of an account; returns their number. */
  resetSecondFactor(email: string): Promise<number>
  /** Grants or revokes the role of a site administrator. */
  setAdmin(email: string, admin: boolean): Promise<void>
  /** Lets somebody sign in to this account through a provider. */
  linkIdentity(email: string, identity: ProviderIdentity): Promise<void>
  list(): Promise<readonly AdministeredUser[]>
  /** Imports the benchmarks of a file, one after the other, or the file as reference data of this name. */
  importFile(file: string, options: ImportOptions, name?: string): AsyncIterable<ImportStep>
  /** Unreleased components that are based on an older release of their SRG. */
  findOutdated(): Promise<readonly OutdatedComponent[]>
  /** Mails all site administrators if mail is set up. Returns how many. */
  mailAdministrators(paragraphs: readonly string[]): Promise<number>
  /** Makes every search index rebuild itself. */
  rebuildIndexes(): Promise<void>
  /** Writes the open catalogue as files. */
  publishCatalogue(options: CataloguePublishOptions): Promise<CataloguePublishOutcome>
}

type OperatorOptions = Omit<PartOptions, 'version' | 'frameworkVersion'>

/** Opens the database for one command of the operator, also while a service uses it. */
export async function withOperator<T>(options: OperatorOptions, work: (operator: Operator) => Promise<T>): Promise<T> {
  const parts = await openParts({ ...options, version: '', frameworkVersion: '' })
  try {
    return await work(operatorOf(parts))
  } finally {
    await parts.mailer?.close()
    await parts.database.close()
  }
}

function operatorOf(parts: IdentityParts): Operator {
  const { database } = parts
  // Their threads do not keep the process alive.
  const readers = { reader: new UploadReader(), references: new ReferenceReader() }
  const change = <T>(email: string, work: (writer: Writer, user: User) => Promise<T>) =>
    database.transact(async (writer) => work(writer, await requireByEmail(writer, email)))
  return {
    create: (account, password) => create(parts, account, password),
    setPassword: (email, password) => choosePassword(parts, email, password),
    unlock: (email) =>
      change(email, async (writer, user) => {
        await unlockUser(writer, user, OPERATOR)
        await forgetWrongCodes(writer, user.id)
      }),
    resetSecondFactor: (email) => resetSecondFactor(parts, email),
    setAdmin: (email, admin) =>
      change(email, (writer, user) =>
        updateUser(writer, user, { changes: { admin }, actor: OPERATOR, title: 'Refused.' }),
      ),
    linkIdentity: (email, identity) => linkIdentity(parts, email, identity),
    list: () => findAdministeredUsers(database.read, signInMethodsOf(parts)),
    importFile: (file, options, name) => importFile({ database, ...readers }, file, { options, actor: OPERATOR, name }),
    findOutdated: () => findOutdated(database.read),
    mailAdministrators: (paragraphs) => mailAdministrators(parts, paragraphs),
    rebuildIndexes: () => resetChangeLog(database),
    publishCatalogue: (options) => publishCatalogue(parts, options),
  }
}

async function mailAdministrators(parts: IdentityParts, paragraphs: readonly string[]): Promise<number> {
  const { database, mailer } = parts
  if (mailer === null) return 0
  const users = await findAdministeredUsers(database.read, signInMethodsOf(parts))
  const administrators = users.filter(({ admin }) => admin)
  for (const { email: to, name } of administrators) mailer.send(catalogueNewsMessage({ to, name }, paragraphs))
  return administrators.length
}

async function create(
  parts: IdentityParts,
  { email, name, admin }: NewAccount,
  password: string | null,
): Promise<string | null> {
  const title = 'The account cannot be made.'
  const parsed = emailValue.safeParse(email)
  const parsedName = nameValue.safeParse(name)
  if (!parsed.success) throw new Refusal('usage', `${email}: this is not an e-mail address.`)
  if (!parsedName.success) throw new Refusal('usage', `The name cannot be used: ${name}`)
  const account = { email: parsed.data, name: parsedName.data, admin, confirmed: true }
  const passwordHash = await hashIfGiven(parts, password, [account.name, account.email])
  return parts.database.transact(async (writer) => {
    const user = await insertUser(writer, { ...account, passwordHash }, { actor: OPERATOR, title })
    // The link to become the first administrator must not work any more.
    if (admin) await dropLinks(writer, { purpose: 'setup', userId: null })
    return passwordHash === null ? resetLink(writer, parts, user) : null
  })
}

async function linkIdentity(
  { database, mailer }: IdentityParts,
  email: string,
  identity: ProviderIdentity,
): Promise<void> {
  const user = await database.transact(async (writer) => {
    const user = await requireByEmail(writer, email)
    try {
      const named = { ...identity, email: user.email }
      await insertIdentity(writer, user, { identity: named, actor: OPERATOR })
    } catch (error) {
      if (!isDuplicate(error)) throw error
      throw new Refusal('usage', `${identity.uid} is already linked with an account.`)
    }
    return user
  })
  const { provider } = identity
  mailer?.send(identityLinkedMessage({ to: user.email, name: user.name, provider }))
}

async function resetSecondFactor({ database, mailer }: IdentityParts, email: string): Promise<number> {
  const { user, removed } = await database.transact(async (writer) => {
    const account = await requireByEmail(writer, email)
    return { user: account, removed: await resetFactors(writer, account, OPERATOR) }
  })
  if (removed > 0) mailer?.send(secondFactorChangedMessage({ to: user.email, name: user.name }, SECOND_FACTOR_RESET))
  return removed
}

async function choosePassword(parts: IdentityParts, email: string, password: string | null): Promise<string | null> {
  const account = await findUserByEmail(parts.database.read, email)
  const passwordHash = await hashIfGiven(parts, password, [email, account?.name ?? ''])
  const { link, mail } = await parts.database.transact(async (writer) => {
    const user = await requireByEmail(writer, email)
    if (passwordHash === null) return { link: await resetLink(writer, parts, user), mail: null }
    const revoked = await setPassword(writer, user, { passwordHash, actor: OPERATOR, keepSession: null })
    const { email: to, name } = user
    return { link: null, mail: { to, name, by: 'administrator', revoked } as const }
  })
  if (mail !== null) parts.mailer?.send(passwordChangedMessage(mail))
  return link
}

async function hashIfGiven(
  parts: IdentityParts,
  password: string | null,
  about: readonly string[],
): Promise<string | null> {
  if (password === null) return null
  return hashNewPassword(parts, { password, about }, 'The password cannot be used.')
}

function resetLink(writer: Writer, parts: IdentityParts, { id }: User): Promise<string> {
  return makeAccountLink(writer, parts, { purpose: 'reset_password', userId: id, email: null })
}

async function requireByEmail(writer: Writer, email: string): Promise<User> {
  const user = await findUserByEmail(writer, email)
  if (user === null) throw new Refusal('usage', `There is no account with the address ${email}.`)
  return user
}
