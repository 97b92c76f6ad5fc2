// Serves the Model Context Protocol over standard input and output: npm run --silent mcp. It asks the service at
// SERVICE_BASE_URL, with the personal access token in PARAPET_TOKEN if there is one.
import { serveOverStdio } from '../src/mcp/stdio.ts'
import { readSettings } from '../src/platform/settings/settings.ts'
import { programVersions } from '../src/versions.ts'

const { baseUrl } = readSettings()
const token = process.env['PARAPET_TOKEN'] ?? ''
serveOverStdio({ baseUrl, token: token === '' ? null : token, version: programVersions().version })
