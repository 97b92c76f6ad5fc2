// The whole check. What only reads runs side by side; the tests, which use every core, come after it, with
// the arguments of this script.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

const tests = ['npx', 'vitest', 'run', ...process.argv.slice(2)]
// Lint and types both read them: made once for the two.
await inTurn(['npm', 'run', 'api-types'])
const codes = await Promise.all([
  inTurn(['npm', 'run', 'lint:alone']),
  inTurn(['npm', 'run', 'types:alone'], ['npm', 'run', 'format'], ['npm', 'run', 'unused']),
])
process.exitCode = Math.max(...codes) || (await inTurn(tests))

/** The exit code of the first that fails. */
async function inTurn(...commands) {
  for (const [program, ...args] of commands) {
    const [code] = await once(spawn(program, args, { stdio: 'inherit' }), 'exit')
    if (code !== 0) {
      // Said once more: what it printed may stand far up, among what ran beside it.
      console.log(`failed: ${[program, ...args].join(' ')}`)
      return code ?? 1
    }
  }
  return 0
}
