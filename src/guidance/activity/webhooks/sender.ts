import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { messageOf } from '../../../platform/errors.ts'
import type { Parts } from '../../parts/parts.ts'
import { claimDeliveries, finishDelivery, MAX_ATTEMPTS, releaseDelivery, type ClaimedDelivery } from './deliveries.ts'
import { openSecret, signatureOf } from './secret.ts'
import { post, type PostOutcome } from './send.ts'

/** Deliveries under way in this process: in all, and of one webhook. */
const AT_ONCE = 8
const AT_ONCE_EACH = 2
/** The interval at which deliveries are looked for that are due again, or that another process left behind. */
const LOOK_MS = 5000
/** How long deliveries under way may take when the service stops. */
const GRACE_MS = 2000

const kindOfPayload = z.object({ kind: z.string() })

/**
 * Sends the queued deliveries. The queue is in the database, so deliveries go on after a restart, and several
 * processes share the work. An attempt whose result was not stored is repeated, so receivers may get an event
 * twice.
 */
export class WebhookSender {
  readonly #parts: Pick<Parts, 'database' | 'keys' | 'settings' | 'log'>
  readonly #ending = new AbortController()
  readonly #running = new Map<Promise<void>, number>()
  #stopListening: () => void = () => undefined
  #timer: NodeJS.Timeout | null = null
  #working: Promise<void> | null = null
  #again = false
  #closed = false

  constructor(parts: Pick<Parts, 'database' | 'keys' | 'settings' | 'log'>) {
    this.#parts = parts
  }

  start(): void {
    this.#stopListening = this.#parts.database.onNews('deliveries', () => {
      this.#look()
    })
    this.#timer = setInterval(() => {
      this.#look()
    }, LOOK_MS)
    this.#timer.unref()
    this.#look()
  }

  /** Starts no more deliveries, and returns those that do not end soon. */
  async close(): Promise<void> {
    this.#closed = true
    this.#stopListening()
    if (this.#timer !== null) clearInterval(this.#timer)
    await this.#working
    const patience = new AbortController()
    const { signal } = patience
    const over = Promise.all(this.#running.keys())
    await Promise.race([over, sleep(GRACE_MS, null, { signal }).catch(() => null)])
    patience.abort()
    this.#ending.abort()
    await over
  }

  #look(): void {
    this.#again = true
    if (this.#closed || this.#working !== null) return
    this.#working = this.#takeAll().finally(() => {
      this.#working = null
      if (this.#again) this.#look()
    })
  }

  async #takeAll(): Promise<void> {
    this.#again = false
    try {
      while (!this.#closed && (await this.#take()));
    } catch (error) {
      this.#parts.log.warn({ reason: messageOf(error) }, 'Webhook deliveries cannot be read')
    }
  }

  /** Starts some of the deliveries that are due; returns whether there were any. */
  async #take(): Promise<boolean> {
    const most = AT_ONCE - this.#running.size
    if (most === 0) return false
    const busy = [...this.#running.values()]
    const full = [...new Set(busy)].filter((id) => busy.filter((other) => other === id).length >= AT_ONCE_EACH)
    const claims = await claimDeliveries(this.#parts.database, { most, full })
    for (const claim of claims ?? []) {
      const run = this.#deliver(claim).finally(() => {
        this.#running.delete(run)
        this.#look()
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
