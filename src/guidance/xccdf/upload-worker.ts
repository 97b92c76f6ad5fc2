import { parentPort, workerData } from 'node:worker_threads'
import { messageOf, Refusal } from '../../platform/errors.ts'
import type { UploadReply, UploadStart } from './upload-protocol.ts'
import { readUploadHere } from './upload.ts'

const port = parentPort
if (port === null) throw new Error('This module runs on a thread of its own')

const start: unknown = workerData
if (!isUploadStart(start)) throw new Error('The thread was started with odd data')
const items = readUploadHere(start.file, start.options)

port.on('message', () => {
  void nextReply().then((reply) => {
    port.postMessage(reply, transferOf(reply))
  })
})

function isUploadStart(value: unknown): value is UploadStart {
  return typeof value === 'object' && value !== null && 'file' in value && 'options' in value
}

async function nextReply(): Promise<UploadReply> {
  try {
    const { done, value } = await items.next()
    return done === true ? { kind: 'end' } : { kind: 'item', item: value }
  } catch (error) {
    if (error instanceof Refusal) {
      return { kind: 'refusal', code: error.code, detail: error.message }
    }
    const stack = error instanceof Error ? (error.stack ?? error.message) : messageOf(error)
    return { kind: 'failure', stack }
  }
}

/** The bytes of a document can be many: they change threads without a copy. */
function transferOf(reply: UploadReply): readonly ArrayBuffer[] {
  if (reply.kind !== 'item' || reply.item.kind !== 'read') return []
  const { buffer } = reply.item.source
  return buffer instanceof ArrayBuffer ? [buffer] : []
}
