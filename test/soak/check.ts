import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { send } from './client.ts'
import type { Entry } from './ledger.ts'
import { signIn } from './load.ts'

export interface Finding {
  readonly entry: Entry
  readonly missing: string
}

const named = z.looseObject({ name: z.string(), description: z.string().nullish() })
const SEARCHABLE_MS = 30_000
const FILLED_MS = 300_000
/** Ten minutes of load leave thousands of entries. */
const AT_ONCE = 8

/** Looks for everything that was acknowledged; what it returns was lost. */
export async function check(port: number, entries: readonly Entry[]): Promise<readonly Finding[]> {
  const headers = await signIn(port)
  const find = (path: string) => send(port, path, { headers })
  const findings: Finding[] = []
  const left = entries.values()
  const look = async (): Promise<void> => {
    for (const entry of left) {
      const missing = entry.kind === 'import' ? await missingImport(find, entry) : await missingWrite(find, entry)
      for (const missingItem of missing) findings.push({ entry, missing: missingItem })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, look))
  return findings
}

type Find = (path: string) => ReturnType<typeof send>

/** The record, and its entry in the audit trail. */
async function missingWrite(
  find: Find,
  entry: Exclude<Entry, { readonly kind: 'import' }>,
): Promise<readonly string[]> {
  const answer = await find(`/projects/${entry.id}`)
  if (answer.status !== 200) return ['the project']
  const { name, description } = named.parse(JSON.parse(answer.body))
  const { body } = await find(`/projects/${entry.id}/histories`)
  const value = entry.kind === 'project' ? entry.name : entry.description
  const isThere = entry.kind === 'project' ? name === value : description === value
  return [...(isThere ? [] : ['the value']), ...(body.includes(value) ? [] : ['the entry in the audit trail'])]
}

/** The benchmark, its links to the ontology, and what the search finds. */
async function missingImport(
  find: Find,
  { id, word }: Extract<Entry, { readonly kind: 'import' }>,
): Promise<readonly string[]> {
  const benchmark = await find(`/stigs/${id}`)
  const links = await findLinks(find, id)
  return [
    ...(benchmark.status === 200 && benchmark.body.includes(word) ? [] : ['the benchmark']),
    ...(links.status === 200 ? [] : ['the links']),
    ...((await isFound(find, word)) ? [] : ['what the search finds']),
  ]
}

/** After a start, whoever asks first waits until the graph is filled, which may take longer than a client has patience. */
async function findLinks(find: Find, id: number): ReturnType<Find> {
  const end = Date.now() + FILLED_MS
  for (;;) {
    const links = await find(`/api/stigs/${id}/countermeasures.json`)
    if (links.status !== 0 || Date.now() > end) return links
  }
}

/** After a start, the search may still be reading. */
async function isFound(find: Find, word: string): Promise<boolean> {
  const end = Date.now() + SEARCHABLE_MS
  for (;;) {
    const { status, body } = await find(`/api/search/unified?q=${word}`)
    if (status === 200) return body.includes(`${word}_STIG`) || body.includes(`${word} Security`)
    if (Date.now() > end) return false
    await sleep(200)
  }
}
