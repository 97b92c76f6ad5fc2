import { requireService, serveOverStdio } from '../mcp/stdio.ts'
import { readOwnToken, readSettings } from '../platform/settings/settings.ts'
import { programVersions } from '../versions.ts'
import { runCommand } from './command.ts'

const USAGE = `Usage: npm run --silent mcp

Serves the Model Context Protocol over standard input and output until the input ends. It asks the running service at
SERVICE_BASE_URL, with the personal access token in PARAPET_TOKEN if there is one.

Exit status: 0 the input has ended, 2 no service answers.`

await runCommand({ usage: USAGE, options: {}, refusedStatus: 2 }, async () => {
  const { baseUrl } = readSettings()
  await requireService(baseUrl)
  serveOverStdio({ baseUrl, token: readOwnToken(), version: programVersions().version })
  return null
})
