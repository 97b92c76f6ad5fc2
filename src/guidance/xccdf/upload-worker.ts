import { parentPort } from 'node:worker_threads'
import { messageOf, Refusal } from '../../platform/errors.ts'
import type { Rule } from './benchmark.ts'
import { packBenchmark } from './packed.ts'
import type { PackedItem, UploadReply, UploadRequest } from './upload-protocol.ts'
import { readUploadHere, type RefusedItem, type UploadItem } from './upload.ts'

const port = parentPort
if (port === null) throw new Error('This module runs on a thread of its own')

/** Of the file that was opened last. */
let items: AsyncGenerator<UploadItem, void> | null = null

/** Of the benchmark that was handed over last; they are fetched in portions. */
let rules: readonly Rule[] = []

port.on('message', (request: UploadRequest) => {
  void answer(request).then((reply) => {
    port.postMessage(reply)
  })
})

async function answer(request: UploadRequest): Promise<UploadReply> {
  if (request.kind === 'rules')
    return { kind: 'rules', rules: rules.slice(request.from, request.to) }
  rules = []
  if (request.kind === 'open') {
    items = readUploadHere(request.file, request.options)
    return { kind: 'opened' }
  }
  try {
    if (items === null) throw new Error('No file has been opened')
    const { done, value } = await items.next()
    return done === true ? { kind: 'end' } : { kind: 'item', item: await packed(value) }
  } catch (error) {
    if (error instanceof Refusal) {
      return { kind: 'refusal', code: error.code, detail: error.message }
    }
    const stack = error instanceof Error ? (error.stack ?? error.message) : messageOf(error)
    return { kind: 'failure', stack }
  }
}

async function packed(item: UploadItem): Promise<PackedItem | RefusedItem> {
  if (item.kind === 'refused') return item
  const { kind, member, done, total, source, ...read } = item
  rules = read.benchmark.rules
  return { ...{ kind, member, done, total }, ...(await packBenchmark(read, source())) }
}
