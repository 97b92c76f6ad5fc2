import { serveOverStdio } from '../mcp/stdio.ts'
import { readOwnToken, readSettings } from '../platform/settings/settings.ts'
import { programVersions } from '../versions.ts'
import { runCommand } from './command.ts'

const USAGE = `Usage: npm run --silent mcp

Serves the Model Context Protocol over standard input and output until the input ends. It asks the running service at
SERVICE_BASE_URL, with the personal access token in PARAPET_TOKEN if there is one.`

await runCommand({ usage: USAGE, options: {} }, () => {
  const { baseUrl } = readSettings()
  serveOverStdio({ baseUrl, token: readOwnToken(), version: programVersions().version })
  return Promise.resolve(null)
})
