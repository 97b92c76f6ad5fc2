import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { build, importsBuilt } from './test/support/build.ts'
import { skippedTests } from './test/support/programs.ts'

const ENOUGH_BYTES = 8e9

// Before anything is loaded from there, which what makes the databases does before the first test.
await build()

for (const line of skippedTests()) process.stderr.write(`${line}\n`)

// For what tests make once and use again, until the run ends, and for all other files that they make.
const runFolder = mkdtempSync(join(memoryFolder() ?? tmpdir(), 'parapet-run-'))
process.env['PARAPET_TEST_RUN'] = runFolder
process.env['TMPDIR'] = runFolder
process.once('exit', () => {
  rmSync(runFolder, { recursive: true, force: true })
})

/** Files in memory, where there is enough of it: nobody waits for a disk, and these files need not outlive the power. */
function memoryFolder(): string | null {
  if (!existsSync('/dev/shm')) return null
  const { bavail, bsize } = statfsSync('/dev/shm')
  return bavail * bsize > ENOUGH_BYTES ? '/dev/shm' : null
}

const common = {
  // For machines that are slow or busy: what hangs is found all the same.
  testTimeout: 120_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 10_000 } },
  // Files share the modules that they load, which is half of the time of a run. No test changes one.
  isolate: false,
  server: { deps: { external: [/\/dist\/test\//] } },
}

/**
 * What touches the ways of a database, and one request to each endpoint by each kind of caller. What comes after
 * the database is the same on both.
 */
const ABOUT_DATABASES = [
  'test/commands/backup.test.ts',
  'test/guidance/{authorisation,crash,start-checks}.test.ts',
  // Its own statements, texts, faults and limits; what it finds, counts and puts in order.
  'test/guidance/{database,search-feed,service}/**/*.test.ts',
  // What comes into the index of the search is the same then, and its answers too.
  'test/guidance/search/{match,global,legacy,suggest,two-services}.test.ts',
  ...['figures', 'list', 'lists', 'search', 'statements', 'usage'].map((name) => `test/guidance/**/${name}.test.ts`),
  // What is told to other processes, and work that they share.
  'test/guidance/activity/{audits/append-only,events/*,webhooks/{delivery,processes}}.test.ts',
  'test/guidance/catalogue/imports/{crash,job}.test.ts',
  // Many rows at once.
  'test/guidance/interchange/archives/{round-trip,importing/{import,staging}}.test.ts',
  // What people do at the same moment, which locks keep apart.
  ...['actions', 'decide', 'last-administrator', 'lockout', 'memberships', 'release', 'rules'].map(
    (name) => `test/guidance/**/${name}.test.ts`,
  ),
  'test/guidance/authoring/**/{together,update}.test.ts',
  'test/guidance/{instance/setup,identity/sessions/store}.test.ts',
  'test/guidance/identity/tokens/{create,life,writer}.test.ts',
]

/** With a PostgreSQL server at hand, these tests run on it as well; in a deep run, all of guidance does, and the walk of authors through the pages. */
const onPostgres = {
  ...common,
  name: 'postgres',
  include:
    process.env['PARAPET_TEST_DEEP'] === undefined
      ? ABOUT_DATABASES
      : ['test/guidance/**/*.test.ts', 'test/web/walk/*.test.ts'],
  // Reading files has nothing to do with a database.
  exclude: ['test/guidance/catalogue/xccdf/**'],
  env: { PARAPET_TEST_DIALECT: 'postgres' },
  globalSetup: 'test/support/scratch-database.ts',
}

/**
 * What another version of Node could change, each by the fewest tests that use all of it; what is
 * computed from that, in plain JavaScript, is the same on every Node.
 */
const ABOUT_NODE = [
  // The start of the program and of a command, how it ends, texts of all scripts.
  'test/main.test.ts',
  'test/commands/reindex.test.ts',
  'test/platform/**/*.test.ts',
  // Threads: those that render, that keep the graph, that read files.
  'test/ontology/served-release.test.ts',
  'test/guidance/catalogue/{linked-data/graph/graph-thread,uploads/upload}.test.ts',
  // Modules that are not JavaScript: oxigraph, libsql, argon2.
  'test/graph/*.test.ts',
  'test/guidance/database/{database,migrate,sqlite,storage-watch}.test.ts',
  'test/guidance/identity/passwords/passwords.test.ts',
  // HTTP as a server, streams of events, forms; as a client, with TLS, of mail and directories too.
  'test/app.test.ts',
  'test/http/*.test.ts',
  'test/http/server/*.test.ts',
  'test/ontology/routes.test.ts',
  'test/guidance/activity/{events/stream,webhooks/delivery}.test.ts',
  'test/guidance/identity/{identity-providers/{ldap,oidc},mail/mailer}.test.ts',
  // Zips and packed streams, both ways; files that are replaced, locked and flushed; digests and keys.
  'test/guidance/catalogue/imports/zip.test.ts',
  'test/guidance/interchange/{archives,spreadsheets}/round-trip.test.ts',
  'test/ontology/{ingest/{crash,read,read-url},release/folder}.test.ts',
  'test/guidance/parts/keys.test.ts',
]

const everythingOrAboutNode = process.env['PARAPET_TEST_NODE'] === undefined ? ['test/**/*.test.ts'] : ABOUT_NODE

export default defineConfig({
  test: {
    // Tests wait for servers and disks as much as they work, so that every core can have some.
    maxWorkers: '100%',
    projects: [
      {
        plugins: [importsBuilt],
        test: { ...common, name: 'sqlite', include: everythingOrAboutNode },
      },
      ...(process.env['PARAPET_TEST_POSTGRES'] === undefined ? [] : [{ plugins: [importsBuilt], test: onPostgres }]),
    ],
  },
})
