import { setTimeout as sleep } from 'node:timers/promises'
import type { Measurement, PageBench } from './pages-measured.ts'
import { statusOf } from './sample.ts'

const AUTHORS = 20
const SECONDS = 20
/** An author who writes without a break saves this often. */
const PAUSE_MS = 1000
/** Pages tell together what comes within this, while one thing follows another. */
const OFTEN_MS = 1000

/** Twenty who write and follow each other, as their pages do: saves, streams, where they are, and what changed. */
export async function authorsAtOnce({ origin, metrics, filled }: PageBench): Promise<readonly Measurement[]> {
  const ended = new AbortController()
  const work = Array.from({ length: AUTHORS }, (_none, at) => ({
    origin,
    at,
    id: filled.componentId,
    rule: filled.ruleIds[at] ?? 0,
    token: filled.tokens[at] ?? '',
    signal: ended.signal,
  }))
  const following = work.map(follow)
  await sleep(1000)
  const before = await serverOf(metrics)
  const times = (await Promise.all(work.map(write))).flat()
  const after = await serverOf(metrics)
  ended.abort()
  const asked = (await Promise.all(following)).reduce((sum, one) => sum + one, 0)
  const sorted = times.sort((one, other) => one - other)
  const at = (share: number): number => sorted[Math.floor(share * sorted.length)] ?? Number.NaN
  const cpu = ((after.cpu - before.cpu) * 1000) / times.length
  return [
    { what: `save, p95 of ${times.length} by ${AUTHORS}`, value: at(0.95), unit: 'ms', goal: 150 },
    { what: '– median', value: at(0.5), unit: 'ms', goal: null },
    { what: 'event loop of the service, longest', value: after.lag, unit: 'ms', goal: 50 },
    { what: '– 99 of 100', value: after.usual, unit: 'ms', goal: null },
    {
      what: 'work of the service for each save and what follows',
      value: cpu,
      unit: 'ms',
      goal: null,
    },
    { what: 'lists asked for because of others', value: asked / SECONDS, unit: '/s', goal: null },
  ]
}

interface Author {
  readonly origin: string
  readonly at: number
  readonly id: number
  readonly rule: number
  readonly token: string
  readonly signal: AbortSignal
}

function asJson({ token }: Author): Readonly<Record<string, string>> {
  return { Authorization: `Token ${token}`, 'Content-Type': 'application/json' }
}

async function write(author: Author): Promise<readonly number[]> {
  const { origin, id, rule, at } = author
  const headers = asJson(author)
  const place = `${origin}/api/components/${id}/presences/bench${at}`
  const here = JSON.stringify({ rule_id: rule })
  const times: number[] = []
  // Not all in the same moment.
  await sleep((PAUSE_MS * at) / AUTHORS)
  const end = Date.now() + SECONDS * 1000
  while (Date.now() < end) {
    if (times.length % 10 === 0) await statusOf(fetch(place, { method: 'PUT', headers, body: here }))
    const body = JSON.stringify({
      rule: { fixtext: `${'Set it so. '.repeat(150)}${times.length}` },
    })
    const began = performance.now()
    const status = await statusOf(fetch(`${origin}/rules/${rule}`, { method: 'PUT', headers, body }))
    if (status !== 200) throw new Error(`A save was answered with ${status}`)
    times.push(performance.now() - began)
    await sleep(PAUSE_MS)
  }
  return times
}

/** Asks once for all rules that a stream has reported since the last request, as a page does. Returns their number. */
async function follow(author: Author): Promise<number> {
  const { origin, id, signal } = author
  const headers = asJson(author)
  const address = `${origin}/api/events?component_id=${id}&presences=true`
  const changed = new Set<string>()
  let asked = 0
  const ask = async (): Promise<void> => {
    while (!signal.aborted) {
      await sleep(OFTEN_MS)
      if (changed.size === 0) continue
      const ids = [...changed].join(',')
      changed.clear()
      await statusOf(fetch(`${origin}/components/${id}/rules_picker?ids=${ids}`, { headers }))
      asked += 1
    }
  }
  const asking = ask()
  try {
    const response = await fetch(address, {
      headers: { ...headers, Accept: 'text/event-stream' },
      signal,
    })
    const decoder = new TextDecoder()
    const chunks: AsyncIterable<Uint8Array> | null = response.body
    for await (const chunk of chunks ?? [])
      for (const [, rule = ''] of decoder.decode(chunk).matchAll(/"rule_id":(\d+),"disp/g)) changed.add(rule)
  } catch (error) {
    if (!signal.aborted) throw error
  }
  await asking
  return asked
}

/** Since it was asked last: how late the event loop was; and its work since it began. */
async function serverOf(
  metrics: string,
): Promise<{ readonly lag: number; readonly usual: number; readonly cpu: number }> {
  const text = await (await fetch(metrics)).text()
  const valueOf = (name: string): number =>
    Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)`, 'm').exec(text)?.[1] ?? Number.NaN)
  return {
    lag: valueOf('\\w*nodejs_eventloop_lag_max_seconds') * 1000,
    usual: valueOf('\\w*nodejs_eventloop_lag_p99_seconds') * 1000,
    cpu: valueOf('\\w*process_cpu_seconds_total'),
  }
}
