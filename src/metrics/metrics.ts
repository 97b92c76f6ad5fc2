import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { Registry } from 'prom-client'
import { messageOf, Refusal } from '../platform/errors.ts'
import type { Figure } from '../platform/figures.ts'
import type { Log } from '../platform/log.ts'
import { combineMetrics, type MetricsInJson } from './combined-metrics.ts'
import { registryOf } from './registry.ts'
import { RequestMeter } from './request-meter.ts'

interface MetricsOptions {
  readonly host: string
  readonly port: number
  readonly log: Log
  /** The metrics of other processes; default: none. */
  readonly others?: () => Promise<readonly MetricsInJson[]>
}

const SERVER_TIMEOUTS = { headersTimeout: 5000, requestTimeout: 5000, connectionsCheckingInterval: 5000 }

/**
 * Metrics for Prometheus (text format 0.0.4) at `/metrics` of a separate address, so that they are never public.
 */
export class Metrics {
  readonly requests: RequestMeter
  readonly #registry: Registry
  readonly #options: MetricsOptions
  readonly #server: Server
  /** Concurrent scrapes share one answer. */
  #pendingText: Promise<string> | null = null

  constructor(figures: readonly Figure[], options: MetricsOptions) {
    this.#options = options
    this.#registry = registryOf(figures, options.log)
    this.requests = new RequestMeter(this.#registry)
    this.#server = createServer(SERVER_TIMEOUTS, ({ method, url = '/' }, response) => {
      if (url.replace(/\?.*$/s, '') !== '/metrics') sendText(response, 404, 'There is only /metrics.\n')
      else if (method !== 'GET' && method !== 'HEAD') sendText(response, 405, 'Only GET and HEAD are allowed.\n')
      else void this.#answer(response)
    })
  }

  /** Refuses an address that cannot be used. */
  async listen(): Promise<void> {
    const { host, port, log } = this.#options
    this.#server.listen(port, host)
    await once(this.#server, 'listening').catch((error: unknown) => {
      const where = `SERVICE_METRICS_HOST ${host}, SERVICE_METRICS_PORT ${port}`
      throw new Refusal('setting_invalid', `${where}: ${messageOf(error)}.`)
    })
    log.info({ address: this.address }, 'Metrics at /metrics')
  }

  get address(): ReturnType<Server['address']> {
    return this.#server.address()
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #collect(): Promise<string> {
    const { others } = this.#options
    if (others === undefined) return this.#registry.metrics()
    const ownMetrics = (await this.#registry.getMetricsAsJSON()).map((metric) => ({ ...metric }))
    return combineMetrics([ownMetrics, ...(await others())]).metrics()
  }

  async #answer(response: ServerResponse): Promise<void> {
    try {
      this.#pendingText ??= this.#collect().finally(() => {
        this.#pendingText = null
      })
      const text = await this.#pendingText
      response.setHeader('Content-Type', this.#registry.contentType)
      sendText(response, 200, text)
    } catch (error) {
      this.#options.log.error({ err: error }, 'Metrics cannot be reported')
      sendText(response, 500, 'The metrics cannot be reported; the log has the reason.\n')
    }
  }
}

function sendText(response: ServerResponse, status: number, text: string): void {
  if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', 'text/plain')
  response.writeHead(status, { 'Content-Length': Buffer.byteLength(text) }).end(text)
}
