import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import type { PublicGraphs } from '../../src/contracts/graphs.ts'
import type { EngineSettings } from '../../src/graph/engine/engine.ts'
import { sendProblem } from '../../src/http/answer/problem.ts'
import { createLog } from '../../src/platform/log.ts'
import { readSettings } from '../../src/platform/settings/settings.ts'
import { sparqlRoutes, SparqlService } from '../../src/sparql/index.ts'

/** The SPARQL endpoint alone, on a free port. */
export interface SparqlOnly {
  readonly service: SparqlService
  readonly port: number
  readonly url: string
  close(): Promise<void>
}

interface SparqlOnlyOptions {
  readonly sources: readonly PublicGraphs[]
  /** Settings of the environment. */
  readonly env?: Readonly<Record<string, string>>
  readonly baseUrl?: string
  readonly engine?: EngineSettings
  readonly readingMs?: number
}

export async function startSparql({
  sources,
  env = {},
  baseUrl = 'http://parapet.example',
  engine,
  readingMs,
}: SparqlOnlyOptions): Promise<SparqlOnly> {
  const { sparql: settings } = readSettings(env)
  const service = new SparqlService({ sources, settings, baseUrl, log: createLog('silent'), engine: engine ?? null })
  const app = express()
  app.use(sparqlRoutes(service, readingMs))
  app.use(((error, request, response, _next) => {
    sendProblem({ request, response }, error)
  }) satisfies express.ErrorRequestHandler)
  const server = createServer(app)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address: AddressInfo | string | null = server.address()
  if (address === null || typeof address === 'string') throw new Error('Not listening')
  const { port } = address
  return {
    service,
    port,
    url: `http://127.0.0.1:${port}/sparql`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await service.close()
    },
  }
}
