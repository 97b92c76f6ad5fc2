import { createInterface } from 'node:readline'
import { requireComunica } from '../graph/engine/comunica.ts'
import {
  activateRelease,
  fetchRelease,
  findEarlierRelease,
  findReleases,
  ReleaseFolder,
  removeRelease,
  pushRelease,
  requireRemovable,
  rollbackRelease,
  explainNoneActive,
} from '../ontology/index.ts'
import { Refusal } from '../platform/errors.ts'
import { readSettings } from '../platform/settings/settings.ts'
import { UsageRefusal, type OptionValues, positiveNumber, runCommand } from './command.ts'
import { readingProgress, withDisplay } from './progress.ts'
import { formatTable } from './table.ts'

const USAGE = `Usage: npm run releases -- COMMAND [options]

  list              all releases of the ontology; * marks the one that is served
  activate VERSION  serve this release
  rollback          serve the previous release again
  remove VERSION    delete a release that is not served
  fetch SOURCE      copy a release of another service, of a published tree, or of a release folder:
                    an http(s) address, or a folder; its digests are checked

  push VERSION      load a release into the engine of SERVICE_SPARQL_URL

  --yes             do not ask (rollback, remove)
  --version V       with fetch: which release; default: the one that is served there
  --replace         with fetch: replace the content of an existing version
  --activate        with fetch: serve it
  --max-mb N        with fetch: largest file (default 256)
  --timeout S       with fetch and push: seconds for a file to be delivered (default 60)
  --to URL          with push: address of the engine for graphs (SPARQL 1.1 Graph Store HTTP Protocol)
  --user NAME       with push: user name at the engine; the password is read from standard input

A running service, also on another machine that shares the folder, serves an activated release within seconds.`

const OPTIONS = {
  yes: { type: 'boolean', default: false },
  version: { type: 'string' },
  replace: { type: 'boolean', default: false },
  activate: { type: 'boolean', default: false },
  'max-mb': { type: 'string', default: '256' },
  timeout: { type: 'string', default: '60' },
  to: { type: 'string' },
  user: { type: 'string' },
} as const

interface CommandInput {
  readonly folder: ReleaseFolder
  /** The version or source; empty for commands without one. */
  readonly name: string
  readonly values: OptionValues<typeof OPTIONS>
}

const COMMANDS: Readonly<Record<string, (input: CommandInput) => Promise<string>>> = {
  list,
  activate: async ({ folder, name }) => {
    const { from, to } = await activateRelease(folder, name, noFurtherCheck)
    return from === to ? `${to} is already served.` : describeActivation(from, to)
  },
  rollback: async ({ folder, values }) => {
    const earlier = await findEarlierRelease(folder)
    await confirm(`Serve ${earlier.version} again?`, values.yes)
    const { from, to } = await rollbackRelease(folder, ({ to }) => requireSameVersion(earlier.version, to))
    return describeActivation(from, to)
  },
  remove: async ({ folder, name, values }) => {
    await requireRemovable(folder, name)
    await confirm(`Delete release ${name} and its files?`, values.yes)
    await removeRelease(folder, name, noFurtherCheck)
    return `Release ${name} is deleted.`
  },
  fetch: fetchFrom,
  push,
}

const WITHOUT_NAME = ['list', 'rollback']

const OPERANDS = { least: 1, most: 2, missing: 'Name a command.' }

await runCommand({ usage: USAGE, options: OPTIONS, operands: OPERANDS }, async (values, operands) => {
  const [command = '', name = ''] = operands
  const run = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined
  if (run === undefined) throw new UsageRefusal(`Unknown command "${command}".`)
  const takesName = !WITHOUT_NAME.includes(command)
  if (takesName !== (name !== '')) throw new UsageRefusal(`${command} takes ${takesName ? 'one name' : 'no name'}.`)
  return run({ folder: new ReleaseFolder(readSettings().dataDir), name, values })
})

async function list({ folder }: CommandInput): Promise<string> {
  const active = await folder.active()
  const releases = await findReleases(folder)
  if (releases.length === 0) return 'There is no release yet: npm run ingest -- SOURCE'
  const rows = releases.map((release) => {
    const { version, manifest } = release
    const mark = version === active ? '*' : ''
    if (manifest === null) return [mark, version, '', '', 0, `cannot be read: ${release.fault}`]
    const { releaseDate, ingestedAt, sha256, counts } = manifest
    const dates = [releaseDate.slice(0, 10), ingestedAt.slice(0, 19)]
    return [mark, version, ...dates, counts.statements, sha256.slice(0, 16)]
  })
  const table = formatTable(['', 'version', 'date', 'ingested', 'statements', 'digest'], rows)
  return active === null ? `${table}\n\n${await explainNoneActive(folder)}` : table
}

async function fetchFrom({ folder, name, values }: CommandInput): Promise<string> {
  const options = {
    source: name,
    version: values.version,
    replace: values.replace,
    activate: values.activate,
    maxBytes: positiveNumber('max-mb', values['max-mb']) * 1024 * 1024,
    timeoutMs: positiveNumber('timeout', values.timeout) * 1000,
  }
  const { status, manifest } = await withDisplay('bytes', async (display) =>
    fetchRelease(folder, options, readingProgress(display)),
  )
  const messages = { created: 'is new', replaced: 'has new content', unchanged: 'was here already' }
  const served = values.activate ? 'It is the release that is served.' : 'It is not served yet.'
  const { version, sha256, counts } = manifest
  return `Release ${version} ${messages[status]}: ${counts.statements} statements, digest ${sha256}. ${served}`
}

async function push({ folder, name, values }: CommandInput): Promise<string> {
  const { engine } = readSettings()
  if (engine === null) throw new Refusal('setting_invalid', 'SERVICE_SPARQL_URL: set the engine to push to.')
  requireComunica()
  const { to: url, user } = values
  if (url === undefined || !URL.canParse(url))
    throw new UsageRefusal('push needs --to URL, the address of the engine for graphs.')
  const manifest = await folder.manifest(name)
  if (manifest === null) throw new Refusal('release_not_found', `There is no release "${name}" in the folder.`)
  const credentials = user === undefined ? null : { user, password: await readPassword() }
  const store = { url, credentials, timeoutMs: positiveNumber('timeout', values.timeout) * 1000 }
  const { graph, statements } = await pushRelease(folder, manifest, { engine, store })
  return `Release ${name} is in ${engine.url}: ${statements} statements in <${graph}>.`
}

/** The first line of standard input. */
async function readPassword(): Promise<string> {
  for await (const line of createInterface({ input: process.stdin })) return line
  throw new Refusal('usage', 'The password is missing on standard input.')
}

function describeActivation(from: string | null, to: string): string {
  return `${to} is the release that is served${from === null ? '' : `, in place of ${from}`}.`
}

function noFurtherCheck(): Promise<void> {
  return Promise.resolve()
}

function requireSameVersion(expected: string, actual: string): Promise<void> {
  if (expected === actual) return Promise.resolve()
  const detail = `Another release was activated in the meantime: ${actual} would be served. Try again.`
  throw new Refusal('edit_conflict', detail)
}

async function confirm(question: string, yes: boolean): Promise<void> {
  if (yes) return
  if (!process.stdin.isTTY) throw new Refusal('usage', `${question} Confirm with --yes.`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await new Promise<string>((resolve) => {
    terminal.question(`${question} [y/N] `, resolve)
    terminal.once('close', () => {
      resolve('')
    })
  })
  terminal.close()
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new Refusal('usage', 'Nothing was changed.')
}
