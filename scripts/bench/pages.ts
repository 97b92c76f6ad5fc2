// Pages in Chromium against the built service: npm run bench:pages -- [--only readers|editor]
import { parseArgs } from 'node:util'
import type { Browser } from 'playwright-core'
import { populateAuthoring } from './authoring-data.ts'
import { build } from './data.ts'
import { atEachDatabase, fill, settingsFor, type BenchDatabase } from './databases.ts'
import { editorPage } from './pages-editor.ts'
import { printTable } from './pages-measured.ts'
import { readersPages } from './pages-readers.ts'
import { openWindow, startBrowser } from './pages-window.ts'
import { startService } from './service.ts'
import { inWorkspace, type Workspace } from './workspace.ts'

const { values } = parseArgs({ options: { only: { type: 'string' } } })

await inWorkspace(async (workspace) => {
  const browser = await startBrowser()
  if (browser === null) {
    console.log('There is no Chromium (PARAPET_CHROMIUM).')
    return
  }
  try {
    await build(workspace)
    if (values.only !== 'editor') await readersPages(workspace, browser)
    if (values.only === 'readers') return
    await atEachDatabase(workspace, 'pages', (database) => measureEditor(workspace, browser, database))
  } finally {
    await browser.close()
  }
})

async function measureEditor(workspace: Workspace, browser: Browser, database: BenchDatabase): Promise<void> {
  const componentId = await fill(database, populateAuthoring)
  const { origin, stop } = await startService(workspace, settingsFor(database))
  try {
    const rows = await editorPage(await openWindow(browser), origin, componentId)
    printTable(`the editor, ${database.name}`, rows)
  } finally {
    await stop()
  }
}
