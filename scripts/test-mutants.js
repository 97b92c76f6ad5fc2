// Makes one small change of a source after the other, and lists the changes that no test notices:
// npm run test:mutants -- src/coverage. Without a folder, it takes the sources that differ from the last commit. Each
// change is tried with the tests of its source that do not start the whole service, and with those in folders or
// files of test/ that are named, too.
import { Stryker } from '@stryker-mutator/core'
import { changedSince, filesIn, relatedTests } from './related-tests.js'

const named = process.argv.slice(2).map((path) => path.replace(/\/$/, ''))
const isTest = (path) => path.startsWith('test/')
const sources = named.filter((path) => !isTest(path))
const mutate = filesIn(sources.length > 0 ? sources : changedSince('HEAD')).filter((file) => /^src\/.*\.ts$/.test(file))
const namedTests = filesIn(named.filter(isTest)).filter((file) => file.endsWith('.test.ts'))

if (mutate.length === 0) console.log('No sources to change: name folders or files of src/, or change some')
else {
  // With Stryker's option testFiles, a changed constant or pattern would be read before the change.
  process.env['PARAPET_TEST_FILES'] = [...relatedTests(mutate), ...namedTests].join(' ')
  // Otherwise vitest would run the tests on one database only.
  delete process.env['PARAPET_TEST_POSTGRES']
  await new Stryker({ mutate }).runMutationTest()
}
