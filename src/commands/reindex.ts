import { parseArgs } from 'node:util'
import { Refusal } from '../platform/errors.ts'
import { asOperator, parsed, runCommand } from './command.ts'

const USAGE = `Usage: npm run reindex

Has the index of the search built anew, from the benchmarks, rules and components themselves: by a service that
is running, or by the next one that starts.

The same settings as for the service apply; it may be running.`

await runCommand(async (args) => {
  const { values, positionals } = parsed(
    () =>
      parseArgs({
        args: [...args],
        options: { help: { type: 'boolean', default: false } },
        allowPositionals: true,
      }),
    USAGE,
  )
  if (values.help) return USAGE
  if (positionals.length > 0) throw new Refusal('usage', USAGE)
  await asOperator((operator) => operator.rebuildIndexes())
  return 'The index of the search will be built anew.'
})
