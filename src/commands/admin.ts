import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { withOperator, type Operator } from '../guidance/index.ts'
import { Refusal } from '../platform/errors.ts'
import { createLog } from '../platform/log.ts'
import { readSecrets, readSettings } from '../platform/settings.ts'
import { parsed, runCommand } from './command.ts'
import { formatTable } from './table.ts'

const USAGE = `Usage: npm run admin -- COMMAND [EMAIL] [options]

  create EMAIL         make a site administrator (with --user: an account without that right)
  set-password EMAIL   set a password
  unlock EMAIL         unlock an account
  grant EMAIL          make somebody a site administrator
  revoke EMAIL         take that right away
  list                 show all accounts

  --name N             name of the new account; default: what stands before the @
  --user               with create: no site administrator
  --password-stdin     read the password from standard input; without it, a link is printed
                       with which the password is chosen

The same settings as for the service apply; it may be running.`

const OPTIONS = {
  name: { type: 'string' },
  user: { type: 'boolean', default: false },
  'password-stdin': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

interface How {
  readonly email: string
  readonly password: string | null
  readonly name: string | undefined
  readonly admin: boolean
}

type Command = (operator: Operator, how: How) => Promise<string>

const COMMANDS: Readonly<Record<string, Command>> = {
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
  grant: async (operator, { email }) => {
    await operator.setAdmin(email, true)
    return `${email} is a site administrator now.`
  },
  revoke: async (operator, { email }) => {
    await operator.setAdmin(email, false)
    return `${email} is no site administrator any more.`
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

await runCommand(async (args) => {
  const { values, positionals } = parsed(
    () => parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true }),
    USAGE,
  )
  if (values.help) return USAGE
  const [command = '', email, ...more] = positionals
  const act = COMMANDS[command]
  if (act === undefined || more.length > 0) throw new Refusal('usage', USAGE)
  if (email === undefined && command !== 'list')
    throw new Refusal('usage', `${command} needs an e-mail address.\n\n${USAGE}`)
  const password = values['password-stdin'] ? await readPassword() : null
  const settings = readSettings()
  const options = {
    ...settings,
    settings: settings.guidance,
    secrets: readSecrets(),
    log: createLog(settings.logLevel),
  }
  const how = { email: email ?? '', password, name: values.name, admin: !values.user }
  return withOperator(options, (operator) => act(operator, how))
})

function describeLink(link: string | null): string {
  return link === null ? '' : `\nChoose the password here, once and within six hours: ${link}`
}

/** One line; the line end is not part of it. */
async function readPassword(): Promise<string> {
  return (await text(process.stdin)).replace(/\r?\n$/, '')
}
