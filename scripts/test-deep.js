// Everything on every database that is at hand, and odd input in many more forms than in a daily run.
import { spawnSync } from 'node:child_process'

const env = { ...process.env, PARAPET_TEST_DEEP: '1' }
const { status } = spawnSync('npx', ['vitest', 'run', ...process.argv.slice(2)], {
  env,
  stdio: 'inherit',
})
process.exitCode = status ?? 1
