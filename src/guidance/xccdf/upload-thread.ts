import { Worker } from 'node:worker_threads'
import { hasCode, Refusal } from '../../platform/errors.ts'
import { siblingModule } from '../../platform/thread.ts'
import type { ReadOptions } from './benchmark.ts'
import { MAX_HEAP_MEGABYTES } from './limits.ts'
import { NEXT, type UploadReply, type UploadStart } from './upload-protocol.ts'
import type { UploadItem } from './upload.ts'

export type { UploadItem } from './upload.ts'

/**
 * The benchmarks of an uploaded file, see `readUploadHere`, read on a thread of their own. It reads
 * the next one when that is asked for, and ends with the last one, with a refusal, or when the
 * caller stops early. A file that needs more memory than the thread may have is `too_large`.
 */
export async function* readUpload(
  file: string,
  { documentType, version }: ReadOptions,
): AsyncGenerator<UploadItem, void> {
  const thread = startReader({ file, options: { documentType, version } })
  const death = deathOf(thread)
  try {
    for (;;) {
      const reply = await Promise.race([ask(thread), death])
      if (reply.kind === 'end') return
      yield itemOf(reply)
    }
  } finally {
    await thread.terminate()
  }
}

/** As `startThread` does, with a bound for the heap. */
function startReader(workerData: UploadStart): Worker {
  const module = siblingModule(import.meta.url, 'upload-worker')
  const resourceLimits = { maxOldGenerationSizeMb: MAX_HEAP_MEGABYTES }
  if (!module.pathname.endsWith('.ts')) return new Worker(module, { workerData, resourceLimits })
  const bootstrap = `import('tsx/esm/api').then((tsx) => {
    tsx.register()
    return import(${JSON.stringify(module.href)})
  })`
  return new Worker(bootstrap, { eval: true, workerData, resourceLimits })
}

function ask(thread: Worker): Promise<UploadReply> {
  return new Promise((resolve) => {
    thread.once('message', (reply: UploadReply) => {
      resolve(reply)
    })
    thread.postMessage(NEXT)
  })
}

/** Rejects when the thread ends, whatever it was asked; until somebody waits, that is no fault. */
function deathOf(thread: Worker): Promise<never> {
  const death = new Promise<never>((_resolve, reject) => {
    thread.once('error', (error: Error) => {
      reject(hasCode(error, 'ERR_WORKER_OUT_OF_MEMORY') ? needsTooMuchMemory() : error)
    })
    thread.once('exit', () => {
      reject(new Error('The reading thread has ended'))
    })
  })
  death.catch(() => undefined)
  return death
}

function needsTooMuchMemory(): Refusal {
  const limit = `the limit of ${MAX_HEAP_MEGABYTES} MB`
  return new Refusal('too_large', `Reading the file needs too much memory: more than ${limit}.`)
}

function itemOf(reply: Exclude<UploadReply, { kind: 'end' }>): UploadItem {
  if (reply.kind === 'refusal') throw new Refusal(reply.code, reply.detail)
  if (reply.kind === 'failure') throw new Error(reply.stack)
  return reply.item
}
