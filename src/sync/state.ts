import { join } from 'node:path'
import { z } from 'zod'
import { readIfThere, writeDurably } from '../platform/files/durable.ts'
import { jsonIn } from '../platform/json.ts'

const NAME = 'state.json'

/** Validators of an address from its last fetch, so that it is fetched again only when they change. */
const fetched = z.object({
  etag: z.string().nullable(),
  last_modified: z.string().nullable(),
  /** SHA-256 of the bytes, in hexadecimal. */
  sha256: z.string(),
  /** For a list: the addresses in it. */
  listed: z.array(z.string()).optional(),
})

const state = z.object({
  /** When the last run began, ISO 8601. */
  ran_at: z.string().nullable(),
  fetched: z.record(z.string(), fetched),
})

export type FetchedFile = z.output<typeof fetched>
export type SyncState = z.output<typeof state>

/** State of earlier runs. If it cannot be read, everything is fetched again. */
export async function readState(folder: string): Promise<SyncState> {
  const text = await readIfThere(join(folder, NAME))
  return state.safeParse(jsonIn(text ?? '')).data ?? { ran_at: null, fetched: {} }
}

export async function writeState(folder: string, next: SyncState): Promise<void> {
  await writeDurably(folder, NAME, `${JSON.stringify(next, null, 2)}\n`)
}
