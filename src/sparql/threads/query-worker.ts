import { getPriority, setPriority } from 'node:os'
import { workerData } from 'node:worker_threads'
import { boundWasmMemory } from '../../graph/wasm-memory.ts'
import { serve } from '../../platform/threads/serve.ts'
import { answerQuery } from './answer.ts'
import { QUERYING, queryStart } from './protocol.ts'

const LESS = 10
const LEAST = 19

boundWasmMemory(queryStart.parse(workerData).memoryMegabytes)
// Loads the library, which has to come after that.
const { NamedGraphs } = await import('../../graph/store.ts')
const graphs = new NamedGraphs()
let isLowered = false

/** Others come first, but not before it is ready. Linux has priorities of threads; elsewhere this is the process. */
function lowerPriority(): void {
  if (!isLowered && process.platform === 'linux') setPriority(Math.min(LEAST, getPriority() + LESS))
  isLowered = true
}

serve(QUERYING, {
  hold: ({ drop, add }) => {
    for (const iri of drop) graphs.remove(iri)
    for (const { iri, nTriples } of add) graphs.load(iri, nTriples)
    return null
  },
  query: (question, moved) => {
    lowerPriority()
    const answer = answerQuery(graphs, question)
    if ('body' in answer) moved.push(answer.body.buffer)
    return answer
  },
})
