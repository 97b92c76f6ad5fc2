import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { isOver } from '../../src/guidance/catalogue/imports/importer.ts'
import { jobSchema, type ImportJob } from '../../src/guidance/catalogue/imports/jobs.ts'
import { encodeForm } from '../../test/support/form.ts'
import type { Upload } from './import-data.ts'
import { statusOf } from './sample.ts'
import type { SignedInService } from './service.ts'

const LIMIT_MS = 900_000
const POLL_MS = 50

export type StoredBenchmark = ImportJob['imported'][number]

/** Result of an import. The job is null if the file was refused; the answer says why. */
export interface ImportOutcome {
  readonly job: ImportJob | null
  readonly answer: string
}

/** Sends a file and waits for the end of its import. */
export async function importFile(service: SignedInService, { bytes, fileName }: Upload): Promise<ImportOutcome> {
  const { headers, body } = encodeForm({ file: bytes, fileName })
  const response = await fetch(`${service.origin}/stigs`, {
    method: 'POST',
    headers: { ...service.admin, ...headers, Prefer: 'wait=60' },
    body,
    signal: AbortSignal.timeout(LIMIT_MS),
  })
  const answer: unknown = await response.json()
  if (!response.ok) return { job: null, answer: z.object({ code: z.string() }).parse(answer).code }
  let job = jobSchema.parse(answer)
  while (!isOver(job)) {
    await sleep(POLL_MS)
    const next = await fetch(`${service.origin}/api/imports/${job.id}`, { headers: service.admin })
    job = jobSchema.parse(await next.json())
  }
  return { job, answer: job.problem === null ? job.state : `${job.state}: ${job.problem.code}` }
}

export async function remove({ origin, admin }: SignedInService, { id, kind }: StoredBenchmark): Promise<void> {
  const path = `${origin}/${kind}s/${id}`
  const status = await statusOf(fetch(path, { method: 'DELETE', headers: admin }))
  if (status !== 200) throw new Error(`DELETE ${path} answers ${status}`)
}

/** Milliseconds until the service answers the links of a benchmark, which need its RDF. */
export async function timeOfLinks({ origin }: SignedInService, { id, kind }: StoredBenchmark): Promise<number> {
  const path = `${origin}/api/${kind}s/${id}/countermeasures.json`
  const begin = performance.now()
  const status = await statusOf(fetch(path, { signal: AbortSignal.timeout(LIMIT_MS) }))
  if (status !== 200) throw new Error(`${path} answers ${status}`)
  return performance.now() - begin
}
