import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { messageOf } from '../../../platform/errors.ts'
import type { Parts } from '../../parts/parts.ts'
import { claimDeliveries, finishDelivery, MAX_ATTEMPTS, releaseDelivery, type ClaimedDelivery } from './deliveries.ts'
import { openSecret, signatureOf } from './secret.ts'
import { post, type PostOutcome } from './send.ts'

/** Limits of simultaneous deliveries in this process: of all webhooks, and of one. */
const MAX_CONCURRENT = 8
const MAX_CONCURRENT_PER_WEBHOOK = 2
/** Interval of polling for deliveries that are due again, or that another process did not finish. */
const POLL_INTERVAL_MS = 5000
/** Time for running deliveries when the service stops. */
const GRACE_MS = 2000

const kindOfPayload = z.object({ kind: z.string() })

/**
 * Sends the queued deliveries. The queue is in the database, so deliveries continue after a restart, and several processes
 * share the work. An attempt without a stored result is repeated, so receivers may get an event twice.
 */
export class WebhookSender {
  readonly #parts: Pick<Parts, 'database' | 'keys' | 'settings' | 'log'>
  readonly #ending = new AbortController()
  readonly #running = new Map<Promise<void>, number>()
  #stopListening: () => void = () => undefined
  #timer: NodeJS.Timeout | null = null
  #working: Promise<void> | null = null
  #isRequested = false
  #closed = false

  constructor(parts: Pick<Parts, 'database' | 'keys' | 'settings' | 'log'>) {
    this.#parts = parts
  }

  start(): void {
    this.#stopListening = this.#parts.database.onNews('deliveries', () => {
      this.#startWork()
    })
    this.#timer = setInterval(() => {
      this.#startWork()
    }, POLL_INTERVAL_MS)
    this.#timer.unref()
    this.#startWork()
  }

  /** Starts no more deliveries, and releases those that do not end soon. */
  async close(): Promise<void> {
    this.#closed = true
    this.#stopListening()
    if (this.#timer !== null) clearInterval(this.#timer)
    await this.#working
    const grace = new AbortController()
    const { signal } = grace
    const allEnded = Promise.all(this.#running.keys())
    await Promise.race([allEnded, sleep(GRACE_MS, null, { signal }).catch(() => null)])
    grace.abort()
    this.#ending.abort()
    await allEnded
  }

  #startWork(): void {
    this.#isRequested = true
    if (this.#closed || this.#working !== null) return
    this.#working = this.#claimAll().finally(() => {
      this.#working = null
      if (this.#isRequested) this.#startWork()
    })
  }

  async #claimAll(): Promise<void> {
    this.#isRequested = false
    try {
      while (!this.#closed && (await this.#claimSome()));
    } catch (error) {
      this.#parts.log.warn({ reason: messageOf(error) }, 'Webhook deliveries cannot be read')
    }
  }

  /** Starts some of the deliveries that are due; returns whether there were any. */
  async #claimSome(): Promise<boolean> {
    const limit = MAX_CONCURRENT - this.#running.size
    if (limit === 0) return false
    const busy = [...this.#running.values()]
    const busyWebhooks = [...new Set(busy)].filter(
      (id) => busy.filter((other) => other === id).length >= MAX_CONCURRENT_PER_WEBHOOK,
    )
    const claims = await claimDeliveries(this.#parts.database, { limit, busyWebhooks })
    for (const claim of claims ?? []) {
      const run = this.#deliver(claim).finally(() => {
        this.#running.delete(run)
        this.#startWork()
      })
      this.#running.set(run, claim.webhookId)
    }
    return claims !== null
  }

  async #deliver(claim: ClaimedDelivery): Promise<void> {
    const { database, log } = this.#parts
    try {
      const outcome = await this.#attempt(claim)
      if (this.#ending.signal.aborted && outcome.status === null) await releaseDelivery(database, claim)
      else await finishDelivery(database, claim, outcome)
      const { id: delivery, webhookId: webhook } = claim
      if (outcome.reason !== undefined) log.info({ delivery, webhook, reason: outcome.reason }, 'A delivery failed')
    } catch (error) {
      const { id } = claim
      log.warn({ delivery: id, reason: messageOf(error) }, 'The result of a delivery could not be stored')
    }
  }

  async #attempt(claim: ClaimedDelivery): Promise<PostOutcome> {
    const { keys, settings } = this.#parts
    if (claim.attempts > MAX_ATTEMPTS) return { status: null, error: 'The service ended during the last attempt' }
    const { payload: body, url } = claim
    let secret: string
    try {
      secret = openSecret(claim.secret, keys.webhook, claim.projectId)
    } catch {
      return { status: null, error: 'The secret cannot be read: give the webhook a new one' }
    }
    const timestamp = String(Math.floor(Date.now() / 1000))
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
      'User-Agent': 'Parapet',
      'X-Parapet-Event': kindOfPayload.parse(JSON.parse(body)).kind,
      'X-Parapet-Delivery': String(claim.id),
      'X-Parapet-Timestamp': timestamp,
      'X-Parapet-Signature-256': signatureOf(secret, timestamp, body),
    }
    const { signal } = this.#ending
    return post({ url, body, headers }, { ...settings.webhooks, signal })
  }
}
