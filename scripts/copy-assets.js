// Copies files that are not code, such as queries, next to the code that reads them.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

// The build of the pages copies the files below web/application.
const ASSETS = /^(?!web\/application\/)(?:.*\.(?:rq|ru|ttl|css|ico|png))$/

for (const file of readdirSync('src', { recursive: true }).filter((name) => ASSETS.test(name))) {
  mkdirSync(dirname(join('dist', file)), { recursive: true })
  copyFileSync(join('src', file), join('dist', file))
}
// scripts/run.js compares the sources with this file, and the service returns its contents.
writeFileSync('dist/.built', `${JSON.stringify({ commit: commit() })}\n`)

// Null if it is unknown, as in an unpacked archive. Images are built without the history.
function commit() {
  const configured = process.env['SOURCE_COMMIT'] ?? ''
  if (configured !== '') return configured
  try {
    const head = git('rev-parse', 'HEAD').trim()
    return git('status', '--porcelain', '--', 'src', 'package-lock.json') === '' ? head : `${head}+`
  } catch {
    return null
  }
}

function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
}
