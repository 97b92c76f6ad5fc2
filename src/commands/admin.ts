import { text } from 'node:stream/consumers'
import type { Operator } from '../guidance/operator.ts'
import { asOperator, UsageRefusal, runCommand } from './command.ts'
import { formatTable } from './table.ts'

const USAGE = `Usage: npm run admin -- COMMAND [EMAIL] [options]

  create EMAIL         make a site administrator (with --user: an account without that right)
  set-password EMAIL   set a password
  unlock EMAIL         unlock an account
  reset-second-factor EMAIL
                       remove passkeys, one-time codes and recovery codes; sessions end
  grant EMAIL          make somebody a site administrator
  revoke EMAIL         remove that right
  link EMAIL           link an identity at a provider with this account
  list                 show all accounts

  --name N             name of the new account; default: the part before the @
  --user               with create: not a site administrator
  --provider P         with link: oidc or ldap
  --identity ID        with link: the identity at the provider, as in the log line of the refusal
                       (oidc: issuer, blank, subject; ldap: the DN)
  --password-stdin     read the password from standard input; without it, a link is printed
                       with which the password is chosen

The same settings as for the service apply; it may be running.`

const OPTIONS = {
  name: { type: 'string' },
  user: { type: 'boolean', default: false },
  provider: { type: 'string' },
  identity: { type: 'string' },
  'password-stdin': { type: 'boolean', default: false },
} as const

interface AdminOptions {
  readonly email: string
  readonly password: string | null
  readonly name: string | undefined
  readonly admin: boolean
  readonly provider: string | undefined
  readonly identity: string | undefined
}

const COMMANDS: Readonly<Record<string, (operator: Operator, options: AdminOptions) => Promise<string>>> = {
  create: async (operator, { email, password, name = email.replace(/@.*/s, ''), admin }) => {
    const link = await operator.create({ email, name, admin }, password)
    return `${email} has an account now.${describeLink(link)}`
  },
  'set-password': async (operator, { email, password }) => {
    const link = await operator.setPassword(email, password)
    return link === null ? `The password of ${email} is set.` : describeLink(link).trim()
  },
  unlock: async (operator, { email }) => {
    await operator.unlock(email)
    return `${email} is unlocked.`
  },
  'reset-second-factor': async (operator, { email }) => {
    const count = await operator.resetSecondFactor(email)
    return count === 0
      ? `${email} had no second factor.`
      : `${email} signs in with the password alone. Removed: ${count}.`
  },
  grant: async (operator, { email }) => {
    await operator.setAdmin(email, true)
    return `${email} is a site administrator now.`
  },
  revoke: async (operator, { email }) => {
    await operator.setAdmin(email, false)
    return `${email} is no longer a site administrator.`
  },
  link: async (operator, { email, provider, identity = '' }) => {
    if ((provider !== 'oidc' && provider !== 'ldap') || identity === '')
      throw new UsageRefusal('link needs --provider oidc or ldap, and --identity.')
    // Directories ignore case, so identities are stored in lower case.
    const uid = provider === 'ldap' ? identity.toLowerCase() : identity
    await operator.linkIdentity(email, { provider, uid })
    return `${email} can sign in through the provider now.`
  },
  list: async (operator) => {
    const users = await operator.list()
    return formatTable(
      ['email', 'name', 'site admin', 'provider', 'locked since'],
      users.map(({ email, name, admin, provider, locked_at }) => [
        email,
        name,
        admin ? 'yes' : 'no',
        provider ?? 'local',
        locked_at ?? '',
      ]),
    )
  },
}

const OPERANDS = { least: 1, most: 2, missing: 'Name a command.' }

await runCommand({ usage: USAGE, options: OPTIONS, operands: OPERANDS }, async (values, operands) => {
  const [command = '', email] = operands
  const act = COMMANDS[command]
  if (act === undefined) throw new UsageRefusal(`Unknown command "${command}".`)
  if (email === undefined && command !== 'list') throw new UsageRefusal(`${command} needs an e-mail address.`)
  const password = values['password-stdin'] ? await readPassword() : null
  const { name, provider, identity } = values
  const options = { email: email ?? '', password, name, admin: !values.user, provider, identity }
  return asOperator((operator) => act(operator, options))
})

function describeLink(link: string | null): string {
  return link === null ? '' : `\nChoose the password here, once and within six hours: ${link}`
}

/** One line; the line end is not part of it. */
async function readPassword(): Promise<string> {
  return (await text(process.stdin)).replace(/\r?\n$/, '')
}
