import { parentPort } from 'node:worker_threads'
import { EmbeddedGraph } from '../../../../graph/store.ts'
import { messageOf } from '../../../../platform/errors.ts'
import type { GraphReply, GraphRequest } from './protocol.ts'

const port = parentPort
if (port === null) throw new Error('This module runs on a thread of its own')

const graph = new EmbeddedGraph()
let gathered: Uint8Array[] = []

port.on('message', (request: GraphRequest) => {
  void reply(request).then((message) => {
    port.postMessage(message)
  })
})

async function reply(request: GraphRequest): Promise<GraphReply> {
  try {
    return await carryOut(request)
  } catch (error) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : messageOf(error)
    return { kind: 'failed', id: request.id, stack }
  }
}

async function carryOut(request: GraphRequest): Promise<GraphReply> {
  const { kind, id } = request
  if (kind === 'gather') gathered.push(request.part)
  if (kind === 'forget') gathered = []
  if (kind === 'gather' || kind === 'forget') return { kind: 'done', id }
  if (kind === 'change') {
    change(request.remove)
    return { kind: 'changed', id, size: graph.size }
  }
  if (kind === 'dump') return { kind: 'dumped', id, nquads: graph.dump() }
  const rows = await graph.select(request.query, request.bind)
  graph.forgetTerms()
  return { kind: 'rows', id, rows }
}

/** In one turn, so that no query sees half of it. */
function change(remove: readonly string[]): void {
  const parts = gathered
  gathered = []
  for (const iri of remove) graph.removeGraph(iri)
  for (const part of parts) graph.load(part, 'application/n-quads')
}
