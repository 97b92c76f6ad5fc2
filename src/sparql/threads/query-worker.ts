import { workerData } from 'node:worker_threads'
import { gunzipSync } from 'node:zlib'
import { limitWasmMemory } from '../../graph/wasm-memory.ts'
import { serve } from '../../platform/threads/serve.ts'
import { answerQuery } from './answer.ts'
import { ownThreadId } from './priority.ts'
import { QUERYING, queryStart } from './protocol.ts'

limitWasmMemory(queryStart.parse(workerData).memoryMegabytes)
// This loads the library, which must happen after memory is limited.
const { NamedGraphs } = await import('../../graph/store.ts')
const graphs = new NamedGraphs()

serve(QUERYING, {
  hold: ({ drop, add }) => {
    for (const iri of drop) graphs.remove(iri)
    for (const { iri, packed } of add) graphs.load(iri, gunzipSync(packed))
    return ownThreadId()
  },
  query: async (question, moved) => {
    const answer = await answerQuery(graphs, question)
    if ('body' in answer) moved.push(answer.body.buffer)
    return answer
  },
})
