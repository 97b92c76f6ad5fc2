import { defineConfig } from 'vitest/config'

const limits = { testTimeout: 30_000, hookTimeout: 60_000 }

/** With a PostgreSQL server at hand, all tests of the guidance service run on it as well. */
const onPostgres = {
  ...limits,
  name: 'postgres',
  include: ['test/guidance/**/*.test.ts'],
  // Reading files has nothing to do with a database.
  exclude: ['test/guidance/xccdf/**'],
  env: { PARAPET_TEST_DIALECT: 'postgres' },
}

export default defineConfig({
  test: {
    // Tests wait for servers and disks as much as they work, so that every core can have some.
    maxWorkers: '100%',
    projects: [
      { test: { ...limits, name: 'sqlite', include: ['test/**/*.test.ts'] } },
      ...(process.env['PARAPET_TEST_POSTGRES'] === undefined ? [] : [{ test: onPostgres }]),
    ],
  },
})
