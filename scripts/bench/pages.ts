// Pages as people have them, in Chromium against the built service: npm run bench:pages
import { parseArgs } from 'node:util'
import type { Browser } from 'playwright-core'
import { formatTable } from '../../src/commands/table.ts'
import { freePort } from '../../test/support/free-port.ts'
import { populateAuthoring, type Authoring } from './authoring-data.ts'
import { build } from './data.ts'
import { fillDatabases, type Filled } from './databases.ts'
import { rounded, verdict } from './numbers.ts'
import { authorsAtOnce } from './pages-authors.ts'
import { editorPage } from './pages-editor.ts'
import { readersPages } from './pages-readers.ts'
import { startBrowser } from './pages-window.ts'
import { startPeer } from './peers.ts'
import { inWorkspace, type Workspace } from './workspace.ts'

/** Where pages are measured. */
export interface Stage {
  readonly browser: Browser
  readonly origin: string
  /** Where the service tells its metrics. */
  readonly metrics: string
  readonly filled: Authoring
}

/** What was measured, and what it should be at most; null: nothing was said. */
export interface Measured {
  readonly what: string
  readonly value: number
  readonly unit: string
  readonly goal: number | null
}

/** A page, or what many do on it; a line of its own here is all that another one needs. */
const PAGES: Readonly<Record<string, (stage: Stage) => Promise<readonly Measured[]>>> = {
  'the editor': editorPage,
  'authors at once': authorsAtOnce,
}

const { values } = parseArgs({ options: { only: { type: 'string' } } })
const READERS = 'readers'
const HEAD = ['what', 'measured', 'goal']

await inWorkspace(bench)

async function bench(workspace: Workspace): Promise<void> {
  const browser = await startBrowser()
  if (browser === null) {
    console.log('There is no Chromium (PARAPET_CHROMIUM).')
    return
  }
  await build(workspace)
  try {
    if (values.only === undefined || values.only === READERS)
      await readersPages(workspace, browser, tell)
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

async function measure(
  workspace: Workspace,
  database: Filled<Authoring>,
  browser: Browser,
): Promise<void> {
  const port = String(await freePort())
  const env = { ...database.env, SERVICE_METRICS_HOST: '127.0.0.1', SERVICE_METRICS_PORT: port }
  const ours = await startPeer(workspace, {
    ...{ name: database.name, goal: null, path: '/api/version', env },
    command: () => [process.execPath, 'dist/main.js'],
  })
  const metrics = `http://127.0.0.1:${port}/metrics`
  try {
    for (const [name, page] of Object.entries(PAGES)) {
      if (values.only !== undefined && values.only !== name) continue
      const { origin } = ours
      const rows = await page({ browser, origin, metrics, filled: database.filled })
      tell(`${name}, ${database.name}`, rows)
    }
  } finally {
    await ours.stop()
  }
}

function tell(name: string, rows: readonly Measured[]): void {
  console.log(`\n${name}\n\n${formatTable(HEAD, rows.map(rowOf))}`)
}

function rowOf({ what, value, unit, goal }: Measured): readonly string[] {
  const met = goal === null ? '' : verdict(`≤ ${goal} ${unit}`, value <= goal)
  return [what, `${rounded(value, 1)} ${unit}`, met]
}
