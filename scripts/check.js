// Runs the whole check. Steps that only read run at the same time. The tests use every core, so they run afterwards,
// with the arguments of this script.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

const tests = ['npx', 'vitest', 'run', ...process.argv.slice(2)]
// Both lint and types read them, so they are made once.
await inTurn(['npm', 'run', 'api-types'])
const codes = await Promise.all([
  inTurn(['npm', 'run', 'lint:alone']),
  inTurn(['npm', 'run', 'types:alone'], ['npm', 'run', 'format'], ['npm', 'run', 'unused']),
])
process.exitCode = Math.max(...codes) || (await inTurn(tests))

/** The exit code of the first step that fails. */
async function inTurn(...commands) {
  for (const [program, ...args] of commands) {
    const [code] = await once(spawn(program, args, { stdio: 'inherit' }), 'exit')
    if (code !== 0) {
      // Repeats the name, because the step's output is mixed with that of other steps.
      console.log(`failed: ${[program, ...args].join(' ')}`)
      return code ?? 1
    }
  }
  return 0
}
