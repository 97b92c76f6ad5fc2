// What the compiler leaves behind: queries and pages stand beside the code that reads them.
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

// The build of the pages takes what is below web/application.
const ASSETS = /^(?!web\/application\/)(?:.*\.(?:rq|ru|ttl|html|css)|web\/pages\/.*\.js)$/

for (const file of readdirSync('src', { recursive: true }).filter((name) => ASSETS.test(name))) {
  mkdirSync(dirname(join('dist', file)), { recursive: true })
  copyFileSync(join('src', file), join('dist', file))
}
// scripts/run.js compares the sources with this.
writeFileSync('dist/.built', '')
