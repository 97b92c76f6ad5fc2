import type { Worker } from 'node:worker_threads'
import { hasCode, Refusal } from '../../platform/errors.ts'
import { siblingModule, startThread } from '../../platform/thread.ts'
import type { ReadOptions, Rule } from './benchmark.ts'
import { MAX_HEAP_MEGABYTES } from './limits.ts'
import type { PackedItem, UploadReply, UploadRequest, UploadStart } from './upload-protocol.ts'
import type { RefusedItem } from './upload.ts'

/** A benchmark that was read. Its rules stay on the thread, until the next item is asked for. */
export interface SentItem extends PackedItem {
  /** Some of the rules, in document order: `from` is among them, `to` is not. */
  readonly rules: (from: number, to: number) => Promise<readonly Rule[]>
}

/**
 * The benchmarks of an uploaded file, see `readUploadHere`, read on a thread of their own. It reads
 * the next one when that is asked for, and ends with the last one, with a refusal, or when the
 * caller stops early. A file that needs more memory than the thread may have is `too_large`.
 */
export async function* readUpload(
  file: string,
  { documentType, version }: ReadOptions,
): AsyncGenerator<SentItem | RefusedItem, void> {
  const start: UploadStart = { file, options: { documentType, version } }
  const limits = { maxOldGenerationSizeMb: MAX_HEAP_MEGABYTES }
  const thread = startThread(siblingModule(import.meta.url, 'upload-worker'), start, limits)
  const death = deathOf(thread)
  const ask = (request: UploadRequest): Promise<UploadReply> =>
    Promise.race([answerTo(thread, request), death])
  try {
    for (;;) {
      const reply = await ask({ kind: 'next' })
      if (reply.kind === 'end') return
      const item = itemOf(reply)
      if (item.kind === 'refused') yield item
      else
        yield {
          ...item,
          rules: async (from, to) => rulesOf(await ask({ kind: 'rules', from, to })),
        }
    }
  } finally {
    await thread.terminate()
  }
}

function answerTo(thread: Worker, request: UploadRequest): Promise<UploadReply> {
  return new Promise((resolve) => {
    thread.once('message', (reply: UploadReply) => {
      resolve(reply)
    })
    thread.postMessage(request)
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

function itemOf(reply: UploadReply): PackedItem | RefusedItem {
  if (reply.kind === 'refusal') throw new Refusal(reply.code, reply.detail)
  if (reply.kind === 'failure') throw new Error(reply.stack)
  if (reply.kind === 'item') return reply.item
  throw new Error(`Unexpected reply "${reply.kind}"`)
}

function rulesOf(reply: UploadReply): readonly Rule[] {
  if (reply.kind === 'rules') return reply.rules
  throw new Error(`Unexpected reply "${reply.kind}"`)
}
