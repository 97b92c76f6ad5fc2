// Sums the results of test runs (vitest's JSON reports). A report that is missing counts as failed.
import { existsSync, readFileSync } from 'node:fs'

let passed = 0
let failed = 0
for (const file of process.argv.slice(2)) {
  if (existsSync(file)) {
    const report = JSON.parse(readFileSync(file, 'utf8'))
    passed += report.numPassedTests
    failed += report.numFailedTests
    // A file that could not even be loaded has no tests to count.
    const broken = ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.length === 0
    failed += report.testResults.filter(broken).length
  } else {
    failed += 1
  }
}
console.log(`${passed} passed, ${failed} failed`)
