import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { globSync } from 'tinyglobby'
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

/** Tests of scripts/test-mutants.js. Each file loads its modules anew, with the constant that was changed. */
const named = process.env['PARAPET_TEST_FILES']?.split(' ')

const common = {
  // For machines that are slow or busy: what hangs is found all the same.
  testTimeout: 120_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 30_000 } },
  // Thousands of tests wait for browsers, servers and other programs, and a busy machine may be too slow once. A test that
  // passes only the second time is named at the end of `.ci/run`, because it needs mending.
  retry: named === undefined ? 1 : 0,
  // Files share the modules that they load, which is half of the time of a run. No test changes one.
  isolate: named !== undefined,
  server: { deps: { external: [/\/dist\/test\//] } },
}

/** A test file has a tag where its first lines say so: `// @module-tag database`. */
const tags = [
  {
    name: 'database',
    description: 'depends on what differs between databases, so it also runs on PostgreSQL',
  },
  {
    name: 'node',
    description: 'depends on what another version of Node could change, so it also runs on Node 24',
  },
  {
    name: 'long',
    description: 'takes long: a browser, other programs or the whole corpus; `npm test` leaves it to `npm run check`',
  },
]

function filesTagged(name: string): string[] {
  const files = globSync('test/**/*.test.ts')
  return files.filter((file) => readFileSync(file, 'utf8').includes(`// @module-tag ${name}\n`))
}

/** With a PostgreSQL server at hand, these tests run on it as well; in a deep run, all of guidance does, and the walk of authors through the pages. */
const onPostgres = {
  ...common,
  name: 'postgres',
  include:
    process.env['PARAPET_TEST_DEEP'] === undefined
      ? filesTagged('database')
      : ['test/guidance/**/*.test.ts', 'test/web/walk/*.test.ts'],
  // Reading files has nothing to do with a database.
  exclude: ['test/guidance/catalogue/xccdf/**'],
  env: { PARAPET_TEST_DIALECT: 'postgres' },
  globalSetup: 'test/support/scratch-database.ts',
}

const everythingOrAboutNode =
  named ?? (process.env['PARAPET_TEST_NODE'] === undefined ? ['test/**/*.test.ts'] : filesTagged('node'))

export default defineConfig({
  test: {
    // Tests wait for servers, browsers and limits of time for nearly half of their time.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    tags,
    projects: [
      {
        plugins: [importsBuilt],
        test: { ...common, name: 'sqlite', include: everythingOrAboutNode },
      },
      ...(process.env['PARAPET_TEST_POSTGRES'] === undefined ? [] : [{ plugins: [importsBuilt], test: onPostgres }]),
    ],
  },
})
