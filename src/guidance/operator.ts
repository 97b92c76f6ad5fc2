import { Refusal } from '../platform/errors.ts'
import { makeAccountLink } from './accounts/links.ts'
import { checkNewPassword, hashPassword } from './accounts/passwords.ts'
import { OPERATOR } from './caller.ts'
import type { Writer } from './database/database.ts'
import { rebuildWords } from './full-text/complete.ts'
import { importFile, type ImportOptions, type ImportStep } from './imports/import-file.ts'
import { dropLinks } from './links/links.ts'
import type { Parts } from './parts.ts'
import { findAdministeredUsers, findUserByEmail, type User } from './users/reader.ts'
import { emailValue, nameValue, type AdministeredUser } from './users/schemas.ts'
import { setPassword, unlockUser } from './users/way-in.ts'
import { insertUser, updateUser } from './users/writer.ts'
import { UploadReader } from './xccdf/upload-thread.ts'

interface NewAccount {
  readonly email: string
  readonly name: string
  readonly admin: boolean
}

/** What whoever has a shell on the machine can do, also while the service runs. */
export interface Operator {
  /** Makes an account. Without a password, answers the link with which one is chosen. */
  create(account: NewAccount, password: string | null): Promise<string | null>
  /** Sets a password; without one, answers the link with which one is chosen. */
  setPassword(email: string, password: string | null): Promise<string | null>
  unlock(email: string): Promise<void>
  /** Makes somebody a site administrator, or no longer one. */
  setAdmin(email: string, admin: boolean): Promise<void>
  list(): Promise<readonly AdministeredUser[]>
  /** Puts the benchmarks of a file into the catalogue, one after the other. */
  importFile(file: string, options: ImportOptions): AsyncIterable<ImportStep>
  /** Works the full-text tables out anew; the number of records. */
  rebuildWords(): Promise<number>
}

export function operatorOf(parts: Parts): Operator {
  const { database } = parts
  // Its thread does not keep the process.
  const reader = new UploadReader(database.dialect)
  const change = (email: string, work: (writer: Writer, user: User) => Promise<void>) =>
    database.transact(async (writer) => {
      await work(writer, await requireByEmail(writer, email))
    })
  return {
    create: (account, password) => create(parts, account, password),
    setPassword: (email, password) => choosePassword(parts, email, password),
    unlock: (email) => change(email, (writer, user) => unlockUser(writer, user, OPERATOR)),
    setAdmin: (email, admin) =>
      change(email, (writer, user) =>
        updateUser(writer, user, { changes: { admin }, actor: OPERATOR, title: 'Refused.' }),
      ),
    list: () => findAdministeredUsers(database.read),
    importFile: (file, options) =>
      importFile({ database, reader }, file, { options, actor: OPERATOR }),
    rebuildWords: () => rebuildWords(database),
  }
}

async function create(
  parts: Parts,
  { email, name, admin }: NewAccount,
  password: string | null,
): Promise<string | null> {
  const title = 'The account cannot be made.'
  const parsed = emailValue.safeParse(email)
  const named = nameValue.safeParse(name)
  if (!parsed.success) throw new Refusal('usage', `${email}: this is no e-mail address.`)
  if (!named.success) throw new Refusal('usage', `The name cannot be used: ${name}`)
  const account = { email: parsed.data, name: named.data, admin, confirmed: true }
  const passwordHash = await toHash(parts, password)
  return parts.database.transact(async (writer) => {
    const by = { actor: OPERATOR, title }
    const user = await insertUser(writer, { ...account, passwordHash }, by)
    // Whoever was to become the first administrator by the link of the start does not any more.
    if (admin) await dropLinks(writer, { purpose: 'setup', userId: null })
    return passwordHash === null ? resetLink(writer, parts, user) : null
  })
}

async function choosePassword(
  parts: Parts,
  email: string,
  password: string | null,
): Promise<string | null> {
  const passwordHash = await toHash(parts, password)
  return parts.database.transact(async (writer) => {
    const user = await requireByEmail(writer, email)
    if (passwordHash === null) return resetLink(writer, parts, user)
    await setPassword(writer, user, { passwordHash, actor: OPERATOR, keepSession: null })
    return null
  })
}

async function toHash({ settings }: Parts, password: string | null): Promise<string | null> {
  if (password === null) return null
  checkNewPassword({ password }, settings.password, 'The password cannot be used.')
  return hashPassword(password)
}

function resetLink(writer: Writer, parts: Parts, { id }: User): Promise<string> {
  const link = { purpose: 'reset_password', userId: id, email: null } as const
  return makeAccountLink(writer, parts, link)
}

async function requireByEmail(writer: Writer, email: string): Promise<User> {
  const user = await findUserByEmail(writer, email)
  if (user === null) throw new Refusal('usage', `There is no account with the address ${email}.`)
  return user
}
