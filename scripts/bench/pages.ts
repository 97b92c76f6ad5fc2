// Pages as people have them, in Chromium against the built service: npm run bench:pages -- [--only NAME] [--minutes 1]
import { parseArgs } from 'node:util'
import type { Browser } from 'playwright-core'
import { freePort } from '../../test/support/free-port.ts'
import { populateAuthoring, type Authoring } from './authoring-data.ts'
import { build } from './data.ts'
import { fillDatabases, type FilledDatabase } from './databases.ts'
import { authorsAtOnce } from './pages-authors.ts'
import { editorPage } from './pages-editor.ts'
import { printTable, type Measurement, type PageBench } from './pages-measured.ts'
import { readersPages } from './pages-readers.ts'
import { steppingPage } from './pages-stepping.ts'
import { startBrowser } from './pages-window.ts'
import { startPeer } from './peers.ts'
import { inWorkspace, type Workspace } from './workspace.ts'

/** A page, or what many do on it; a line of its own here is all that another one needs. */
const PAGES: Readonly<Record<string, (stage: PageBench) => Promise<readonly Measurement[]>>> = {
  'the editor': editorPage,
  stepping: steppingPage,
  'authors at once': authorsAtOnce,
}

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    /** Length of the stepping from rule to rule. */
    minutes: { type: 'string', default: '1' },
  },
})
const minutes = Number(values.minutes)
const READERS = 'readers'

await inWorkspace(bench)

async function bench(workspace: Workspace): Promise<void> {
  const browser = await startBrowser()
  if (browser === null) {
    console.log('There is no Chromium (PARAPET_CHROMIUM).')
    return
  }
  await build(workspace)
  try {
    if (values.only === undefined || values.only === READERS) await readersPages(workspace, browser)
    if (values.only !== READERS) await authors(workspace, browser)
  } finally {
    await browser.close()
  }
}

async function authors(workspace: Workspace, browser: Browser): Promise<void> {
  const databases = await fillDatabases(workspace.folder, populateAuthoring)
  try {
    for (const database of databases) await measure(workspace, database, browser)
  } finally {
    for (const { drop } of databases) await drop()
  }
}

async function measure(workspace: Workspace, database: FilledDatabase<Authoring>, browser: Browser): Promise<void> {
  const port = String(await freePort())
  const env = { ...database.env, SERVICE_METRICS_HOST: '127.0.0.1', SERVICE_METRICS_PORT: port }
  const ours = await startPeer(workspace, {
    name: database.name,
    goal: null,
    path: '/api/version',
    env,
    command: () => [process.execPath, 'dist/main.js'],
  })
  const metrics = `http://127.0.0.1:${port}/metrics`
  try {
    for (const [name, page] of Object.entries(PAGES)) {
      if (values.only !== undefined && values.only !== name) continue
      const { origin } = ours
      const rows = await page({ browser, origin, metrics, filled: database.filled, minutes })
      printTable(`${name}, ${database.name}`, rows)
    }
  } finally {
    await ours.stop()
  }
}
