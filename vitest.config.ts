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
    projects: [
      { test: { ...limits, name: 'sqlite', include: ['test/**/*.test.ts'] } },
      ...(process.env['PARAPET_TEST_POSTGRES'] === undefined ? [] : [{ test: onPostgres }]),
    ],
  },
})
