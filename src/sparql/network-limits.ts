import { LRUCache } from 'lru-cache'
import { rateLimited } from '../http/server/limit.ts'

/** Stopped queries of one network within a minute, as a multiple of its concurrent queries. */
const MAX_STOPPED_QUERIES = 2
const MINUTE_MS = 60_000
const NETWORKS = 10_000

/** Bounds the queries of one network: those that run at the same time, and those that had to be stopped. */
export class NetworkLimits {
  readonly #perNetwork: number
  readonly #running = new Map<string, number>()
  readonly #stopped = new LRUCache<string, number>({ max: NETWORKS, ttl: MINUTE_MS, noUpdateTTL: true })

  constructor(perNetwork: number) {
    this.#perNetwork = perNetwork
  }

  /** Counts a query, or refuses it (`rate_limited`); the function that it returns is called when the query is over. */
  enter(network: string): () => void {
    this.#refuseHarmful(network)
    const count = this.#running.get(network) ?? 0
    if (count >= this.#perNetwork) {
      const detail = `${this.#perNetwork} queries from your address are already running. Try again when one is answered.`
      throw rateLimited(1, detail)
    }
    this.#running.set(network, count + 1)
    return () => {
      const remaining = (this.#running.get(network) ?? 1) - 1
      if (remaining === 0) this.#running.delete(network)
      else this.#running.set(network, remaining)
    }
  }

  /** Counts a query that had to be stopped. */
  countStopped(network: string): void {
    this.#stopped.set(network, (this.#stopped.get(network) ?? 0) + 1)
  }

  #refuseHarmful(network: string): void {
    if ((this.#stopped.get(network) ?? 0) < MAX_STOPPED_QUERIES * this.#perNetwork) return
    const seconds = Math.max(1, Math.ceil(this.#stopped.getRemainingTTL(network) / 1000))
    const detail = `Too many queries from your address had to be stopped. Wait ${seconds} seconds.`
    throw rateLimited(seconds, detail)
  }
}
