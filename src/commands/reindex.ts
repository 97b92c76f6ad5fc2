import { asOperator, runCommand } from './command.ts'

const USAGE = `Usage: npm run reindex

Rebuilds the index of the search from the benchmarks, rules and components. A running service does it, or the next one
that starts.

The same settings as for the service apply; it may be running.`

await runCommand({ usage: USAGE, options: {} }, async () => {
  await asOperator((operator) => operator.rebuildIndexes())
  return 'The search index will be rebuilt.'
})
