import { EmbeddedGraph } from '../../../../graph/store.ts'
import { serve } from '../../../../platform/threads/serve.ts'
import { GRAPH } from './protocol.ts'

const graph = new EmbeddedGraph()
graph.forgetTerms()
let gathered: { readonly change: number; readonly parts: Uint8Array[] } | null = null

serve(GRAPH, {
  gather: ({ change, part }) => {
    if (gathered?.change !== change) gathered = { change, parts: [] }
    gathered.parts.push(part)
    return null
  },
  change: ({ change, remove }) => {
    const parts = gathered?.change === change ? gathered.parts : []
    gathered = null
    for (const iri of remove) graph.removeGraph(iri)
    for (const part of parts) graph.loadLines(part)
    return null
  },
  select: ({ query, bind }) => graph.select(query, bind),
  dump: () => graph.dump(),
})
