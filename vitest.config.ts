import { defineConfig } from 'vitest/config'

const common = {
  // For machines that are slow or busy: what hangs is found all the same.
  testTimeout: 120_000,
  hookTimeout: 180_000,
  // Files share the modules that they load, which is half of the time of a run. No test changes one.
  isolate: false,
}

/** With a PostgreSQL server at hand, all tests of the guidance service run on it as well. */
const onPostgres = {
  ...common,
  name: 'postgres',
  include: ['test/guidance/**/*.test.ts'],
  // Reading files has nothing to do with a database.
  exclude: ['test/guidance/catalogue/xccdf/**'],
  env: { PARAPET_TEST_DIALECT: 'postgres' },
}

export default defineConfig({
  test: {
    // Tests wait for servers and disks as much as they work, so that every core can have some.
    maxWorkers: '100%',
    projects: [
      { test: { ...common, name: 'sqlite', include: ['test/**/*.test.ts'] } },
      ...(process.env['PARAPET_TEST_POSTGRES'] === undefined ? [] : [{ test: onPostgres }]),
    ],
  },
})
