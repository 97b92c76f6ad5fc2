import { parentPort, workerData } from 'node:worker_threads'
import { messageOf, Refusal } from '../../platform/errors.ts'
import type { Rule } from './benchmark.ts'
import { packBenchmark } from './packed.ts'
import type { PackedItem, UploadReply, UploadRequest, UploadStart } from './upload-protocol.ts'
import { readUploadHere, type UploadItem } from './upload.ts'

const port = parentPort
if (port === null) throw new Error('This module runs on a thread of its own')

const start: unknown = workerData
if (!isUploadStart(start)) throw new Error('The thread was started with odd data')
const items = readUploadHere(start.file, start.options)

/** Of the benchmark that was handed over last; they are fetched in portions. */
let rules: readonly Rule[] = []

port.on('message', (request: UploadRequest) => {
  void answer(request).then((reply) => {
    port.postMessage(reply)
  })
})

function isUploadStart(value: unknown): value is UploadStart {
  return typeof value === 'object' && value !== null && 'file' in value && 'options' in value
}

async function answer(request: UploadRequest): Promise<UploadReply> {
  if (request.kind === 'rules')
    return { kind: 'rules', rules: rules.slice(request.from, request.to) }
  try {
    rules = []
    const { done, value } = await items.next()
    return done === true ? { kind: 'end' } : { kind: 'item', item: packed(value) }
  } catch (error) {
    if (error instanceof Refusal) {
      return { kind: 'refusal', code: error.code, detail: error.message }
    }
    const stack = error instanceof Error ? (error.stack ?? error.message) : messageOf(error)
    return { kind: 'failure', stack }
  }
}

function packed(item: UploadItem): PackedItem | Exclude<UploadItem, { kind: 'read' }> {
  if (item.kind === 'refused') return item
  const { kind, member, done, total, source, ...read } = item
  rules = read.benchmark.rules
  return { ...{ kind, member, done, total }, ...packBenchmark(read, source) }
}
