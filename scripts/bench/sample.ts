import { z } from 'zod'
import { percentile } from './numbers.ts'

type Headers = Readonly<Record<string, string>>

/** Latencies of requests that a few clients make one after the other. */
export interface Latencies {
  readonly p50Ms: number
  readonly p95Ms: number
  readonly perSecond: number
}

interface SampleOptions {
  readonly clients: number
  readonly requests: number
  readonly ask: () => Promise<number>
}

/** `ask` sends one request and returns its status. Any status except 200 ends the bench. */
export async function sample({ clients, requests, ask }: SampleOptions): Promise<Latencies> {
  const times: number[] = []
  const start = performance.now()
  const client = async (): Promise<void> => {
    for (let index = 0; index < requests / clients; index += 1) {
      const begin = performance.now()
      const status = await ask()
      if (status !== 200) throw new Error(`A request was answered with ${status}`)
      times.push(performance.now() - begin)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  const seconds = (performance.now() - start) / 1000
  return { p50Ms: percentile(times, 0.5), p95Ms: percentile(times, 0.95), perSecond: times.length / seconds }
}

/** The headers of a signed-in person. */
export async function signIn(origin: string, credentials: Headers): Promise<Headers> {
  const response = await login(origin, credentials)
  await response.arrayBuffer()
  const cookie = response.headers.getSetCookie().map((header) => header.replace(/;.*/s, ''))
  return z.object({ Cookie: z.string().min(1) }).parse({ Cookie: cookie.join('; ') })
}

export function login(origin: string, credentials: Headers): Promise<Response> {
  return fetch(`${origin}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(credentials),
  })
}

/** Sends one request and reads the whole answer. */
export async function statusOf(answer: Promise<Response>): Promise<number> {
  const response = await answer
  await response.arrayBuffer()
  return response.status
}
