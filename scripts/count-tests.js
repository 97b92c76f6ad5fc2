// Adds up the results of test runs (vitest's JSON reports) and lists the failures again, because they are far up in the
// output. A missing report counts as a failure.
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'

let passed = 0
let failed = 0
for (const file of process.argv.slice(2)) {
  if (existsSync(file)) {
    const report = JSON.parse(readFileSync(file, 'utf8'))
    passed += report.numPassedTests
    failed += report.numFailedTests
    for (const result of report.testResults) failed += look(result)
  } else {
    failed += 1
    console.log(`no report: ${file}`)
  }
}
console.log(`${passed} passed, ${failed} failed`)

/**
 * Names the tests that failed, and those that passed only when tried again (`retry` in vitest.config.ts). Counts a
 * file that could not even be loaded, which has no tests to count.
 */
function look({ name, status, message, assertionResults }) {
  for (const { fullName, status: outcome, failureMessages } of assertionResults) {
    const result = outcome === 'passed' ? 'passed when tried again' : 'failed'
    if (failureMessages.length > 0)
      console.log(`${result}: ${relative('.', name)}: ${fullName}\n${failureMessages.join('\n')}`)
  }
  const isBroken = status === 'failed' && assertionResults.length === 0
  if (isBroken) console.log(`failed: ${relative('.', name)}\n${message}`)
  return isBroken ? 1 : 0
}
