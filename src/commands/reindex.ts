import { asOperator, runCommand } from './command.ts'

const USAGE = `Usage: npm run reindex

Has the index of the search built anew, from the benchmarks, rules and components themselves: by a service that
is running, or by the next one that starts.

The same settings as for the service apply; it may be running.`

await runCommand({ usage: USAGE, options: {} }, async () => {
  await asOperator((operator) => operator.rebuildIndexes())
  return 'The search index will be rebuilt.'
})
