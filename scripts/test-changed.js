// Runs the tests of the files that changed since a commit (`npm run test:changed -- main`; by default the last one).
// Only `npm test` runs the tests that start the whole service.
import { spawnSync } from 'node:child_process'
import { changedSince, relatedTests } from './related-tests.js'

const [since = 'HEAD'] = process.argv.slice(2)
const tests = relatedTests(changedSince(since))

console.log(`${tests.length} test files`)
if (tests.length > 0) {
  const { status } = spawnSync('npx', ['vitest', 'run', ...tests], { stdio: 'inherit' })
  process.exitCode = status ?? 1
}
