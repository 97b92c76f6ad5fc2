import { parseArgs } from 'node:util'
import { Refusal } from '../platform/errors.ts'
import { asOperator, parsed, runCommand } from './command.ts'

const USAGE = `Usage: npm run reindex

Works the words by which guidance is found out anew, from the rules and components themselves. Until it
ends, a search does not find those that are still to come.

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
  const records = await asOperator((operator) => operator.rebuildWords())
  return `The words of ${records} records are up to date.`
})
