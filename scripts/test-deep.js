// Runs all tests on every available database, with many more odd inputs than `npm test`.
import { spawnSync } from 'node:child_process'

const env = { ...process.env, PARAPET_TEST_DEEP: '1' }
const { status } = spawnSync('npx', ['vitest', 'run', ...process.argv.slice(2)], {
  env,
  stdio: 'inherit',
})
process.exitCode = status ?? 1
