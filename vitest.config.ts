import { defineConfig } from 'vitest/config'
import { importsBuilt } from './test/support/build.ts'

const common = {
  // For machines that are slow or busy: what hangs is found all the same.
  testTimeout: 120_000,
  hookTimeout: 180_000,
  // Files share the modules that they load, which is half of the time of a run. No test changes one.
  isolate: false,
  server: { deps: { external: [/\/dist\/test\//] } },
}

/** What touches the ways of a database, and one request to each endpoint by each kind of caller. */
const ABOUT_DATABASES = [
  ...['database', 'full-text', 'search', 'activity', 'service', 'catalogue/imports'].map(
    (folder) => `test/guidance/${folder}/**/*.test.ts`,
  ),
  ...['crash', 'figures', 'list', 'lists', 'search', 'statements'].map(
    (name) => `test/guidance/**/${name}.test.ts`,
  ),
  // What people do at the same moment, which locks keep apart.
  ...['actions', 'decide', 'last-administrator', 'lockout', 'memberships', 'rules', 'setup'].map(
    (name) => `test/guidance/**/${name}.test.ts`,
  ),
  'test/guidance/**/{together,update,usage}.test.ts',
  'test/guidance/*.corpus.test.ts',
  'test/guidance/{authorisation,start-checks}.test.ts',
  'test/guidance/identity/{sessions,tokens}/*.test.ts',
  'test/guidance/interchange/{archives,releases}/**/*.test.ts',
]

/** With a PostgreSQL server at hand, these tests run on it as well; in a deep run, all of guidance does. */
const onPostgres = {
  ...common,
  name: 'postgres',
  include:
    process.env['PARAPET_TEST_DEEP'] === undefined
      ? ABOUT_DATABASES
      : ['test/guidance/**/*.test.ts'],
  // Reading files has nothing to do with a database.
  exclude: ['test/guidance/catalogue/xccdf/**'],
  env: { PARAPET_TEST_DIALECT: 'postgres' },
  globalSetup: 'test/support/scratch-database.ts',
}

/** What another version of Node could change: threads, native modules, the start, streams, files, pages. */
const ABOUT_NODE = [
  ...['commands', 'graph', 'http', 'platform', 'web', 'ontology'].map(
    (folder) => `test/${folder}/**/*.test.ts`,
  ),
  ...['main', 'app', 'published'].map((name) => `test/${name}.test.ts`),
  ...['database', 'full-text', 'activity', 'catalogue', 'interchange', 'service', 'parts'].map(
    (folder) => `test/guidance/${folder}/**/*.test.ts`,
  ),
  'test/guidance/identity/{accounts,identity-providers,mail,passwords,sessions}/*.test.ts',
  'test/guidance/{crash,http,start-checks}.test.ts',
]

const everythingOrAboutNode =
  process.env['PARAPET_TEST_NODE'] === undefined ? ['test/**/*.test.ts'] : ABOUT_NODE

export default defineConfig({
  test: {
    // Tests wait for servers and disks as much as they work, so that every core can have some.
    maxWorkers: '100%',
    globalSetup: 'test/support/build.ts',
    projects: [
      {
        plugins: [importsBuilt],
        test: { ...common, name: 'sqlite', include: everythingOrAboutNode },
      },
      ...(process.env['PARAPET_TEST_POSTGRES'] === undefined
        ? []
        : [{ plugins: [importsBuilt], test: onPostgres }]),
    ],
  },
})
