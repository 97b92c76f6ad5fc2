import { parentPort, workerData } from 'node:worker_threads'
import { messageOf, Refusal } from '../../platform/errors.ts'
import { findControls } from '../controls/controls.ts'
import { findCounters } from '../documents/counters.ts'
import { findDefenses } from '../documents/defenses.ts'
import { findContent } from '../documents/documents.ts'
import { ReleaseFolder } from '../release/folder.ts'
import { openRelease } from '../release/release.ts'
import { listPaths } from './paths.ts'
import type { RenderReply, RenderRequest, WorkerStart } from './protocol.ts'
import { render } from './render.ts'
import { writeAnswer } from './write.ts'

const port = parentPort
if (port === null) throw new Error('This module runs on a thread of its own')

const start: unknown = workerData
if (!isWorkerStart(start)) throw new Error('The thread was started with odd data')
const release = await openRelease(new ReleaseFolder(start.dataDir), start.manifest)

port.on('message', (request: RenderRequest) => {
  void reply(request).then(({ message, transfer }) => {
    port.postMessage(message, transfer)
  })
})
port.postMessage({ kind: 'ready' } satisfies RenderReply)

function isWorkerStart(value: unknown): value is WorkerStart {
  return typeof value === 'object' && value !== null && 'dataDir' in value && 'manifest' in value
}

interface Reply {
  readonly message: RenderReply
  readonly transfer: ArrayBuffer[]
}

async function reply(request: RenderRequest): Promise<Reply> {
  try {
    return await carryOut(request)
  } catch (error) {
    return { message: describeFailure(request.id, error), transfer: [] }
  }
}

async function carryOut(request: RenderRequest): Promise<Reply> {
  if (request.kind !== 'render') return { message: await tell(request), transfer: [] }
  const rendered = await render(release, request.path, request.coding)
  // Bytes of its own: what Buffer.concat returns may be a slice of a pool.
  const body = new Uint8Array(rendered.body)
  return {
    message: { kind: 'rendered', id: request.id, rendered: { ...rendered, body } },
    transfer: [body.buffer],
  }
}

async function tell(request: Exclude<RenderRequest, { kind: 'render' }>): Promise<RenderReply> {
  const { id } = request
  switch (request.kind) {
    case 'paths':
      return { kind: 'paths', id, paths: listPaths(release, request) }
    case 'controls':
      return { kind: 'controls', id, controls: await findControls(release) }
    case 'content':
      return { kind: 'content', id, content: await findContent(release) }
    case 'counters':
      return {
        kind: 'counters',
        id,
        counters: findCounters(release, request.techniques, request.limit),
      }
    case 'defenses':
      return {
        kind: 'defenses',
        id,
        defenses: findDefenses(release, request.subjects, request.limit),
      }
    case 'write':
      return { kind: 'written', id, measure: await writeAnswer(release, request.path, request) }
  }
}

function describeFailure(id: number, error: unknown): RenderReply {
  if (error instanceof Refusal) {
    const { code, message: detail, members } = error
    return { kind: 'refused', id, code, detail, members }
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : messageOf(error)
  return { kind: 'failed', id, stack }
}
