// Writes the types of the API for the pages, from the OpenAPI document of the program, unless they are up to date.
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { globSync } from 'tinyglobby'

const FILE = 'dist/api-types.d.ts'
const SOURCES = ['src/**/*.ts', 'scripts/api-types.ts', 'package.json']

const sources = globSync(SOURCES, { ignore: ['src/web/**'] })
if (changedAt(FILE) < Math.max(...sources.map(changedAt))) await write()

function changedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

async function write(): Promise<void> {
  const { default: openapiTypes, astToString } = await import('openapi-typescript')
  const types = await openapiTypes(await describe(), { alphabetize: true, emptyObjectsUnknown: true })
  mkdirSync('dist', { recursive: true })
  writeFileSync(FILE, astToString(types))
}

/** Writes the types from the document that the service publishes, with a temporary database. */
async function describe(): Promise<string> {
  const { describeApp } = await import('../src/app.ts')
  const { openGuidance } = await import('../src/guidance/index.ts')
  const { createLog } = await import('../src/platform/log.ts')
  const { readSecrets, readSettings } = await import('../src/platform/settings/settings.ts')
  const { createSearch } = await import('../src/search/search.ts')
  const { endpointsFor } = await import('../src/services.ts')
  const dataDir = mkdtempSync(join(tmpdir(), 'parapet-types-'))
  try {
    const environment = { SERVICE_DATA_DIR: dataDir }
    const settings = readSettings(environment)
    const guidance = await openGuidance({
      ontology: null,
      search: (parts) => createSearch({ ...parts, ontology: null }),
      endpoints: endpointsFor(null),
      ...settings,
      settings: settings.guidance,
      secrets: readSecrets(environment),
      version: '0.0.0',
      frameworkVersion: '0.0.0',
      log: createLog('silent'),
    })
    const document = await describeApp(guidance, settings, '0.0.0')
    await guidance.close()
    return JSON.stringify(document)
  } finally {
    rmSync(dataDir, { recursive: true })
  }
}
