// Runs a built module (`node scripts/run.js commands/ingest …`). Builds first if the sources are newer.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const [name = 'main', ...args] = process.argv.slice(2)

if (newest(join(root, 'src')) > builtAt()) {
  process.stderr.write('Building…\n')
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: ['ignore', 2, 2] })
}
const module = join(root, 'dist', `${name}.js`)
process.argv = [process.argv[0], module, ...args]
await import(pathToFileURL(module).href)

function builtAt() {
  const stamp = join(root, 'dist', '.built')
  return existsSync(stamp) ? statSync(stamp).mtimeMs : 0
}

function newest(folder) {
  const entries = readdirSync(folder, { recursive: true })
  return Math.max(...entries.map((entry) => statSync(join(folder, entry)).mtimeMs))
}
