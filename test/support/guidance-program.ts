import { once } from 'node:events'
import { createApp, describeApp } from '../../src/app.ts'
import { openGuidance } from '../../src/guidance/index.ts'
import { createDocumentCache } from '../../src/http/openapi/document-cache.ts'
import { OntologyService } from '../../src/ontology/index.ts'
import { createLog } from '../../src/platform/log.ts'
import { readSecrets, readSettings } from '../../src/platform/settings/settings.ts'
import { createSearch } from '../../src/search/search.ts'
import { endpointsFor } from '../../src/services.ts'
import { SparqlService } from '../../src/sparql/index.ts'

// The service without an ontology in its own process, for tests that kill it. It loads, reports that, waits for a line,
// opens the database, and then reports its port. It ends with its parent.
/** The first answer may take longer on a busy machine. */
const SEARCH_PATIENCE_MS = 60_000

process.stdout.write('ready\n')
process.stdin.on('end', () => process.exit())
await once(process.stdin, 'data')
process.stdout.write('opening\n')
const settings = readSettings()
const log = createLog(settings.logLevel)
const version = '0.0.0'
const guidance = await openGuidance({
  ontology: null,
  search: (sources) => createSearch({ ...sources, ontology: null }, SEARCH_PATIENCE_MS),
  endpoints: endpointsFor(null),
  ...settings,
  settings: settings.guidance,
  secrets: readSecrets(),
  version,
  frameworkVersion: version,
  log,
})
const ontology = new OntologyService({ ...settings, log })
const document = createDocumentCache(() => describeApp(guidance, settings, version))
const sparql = new SparqlService({ ...settings, settings: settings.sparql, sources: [guidance.publicGraphs], log })
const { server } = createApp({ ontology, guidance, sparql, settings, document, log })
server.listen(settings.port, settings.host, () => {
  process.stdout.write(`${JSON.stringify(server.address())}\n`)
})
