// Asks Comunica, over graphs in memory, one query again and again; for bench:sparql, which ends it where it takes long.
// A line for each answer: milliseconds and rows.
import { readFileSync } from 'node:fs'
import { QueryEngine } from '@comunica/query-sparql'
import { DataFactory, Parser, Store } from 'n3'
import { z } from 'zod'

const { query, main, graphs, runs } = z
  .object({
    query: z.string(),
    /** The graph that queries are asked of that name none. */
    main: z.string(),
    graphs: z.array(z.object({ iri: z.string(), file: z.string() })),
    runs: z.int(),
  })
  .parse(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')))

const store = new Store()
for (const { iri, file } of graphs) {
  const quads = new Parser({ format: 'N-Triples' }).parse(readFileSync(file, 'utf8'))
  for (const { subject, predicate, object } of quads) {
    store.addQuad(subject, predicate, object, DataFactory.namedNode(iri))
    if (iri === main) store.addQuad(subject, predicate, object)
  }
}
const engine = new QueryEngine()
for (let run = 0; run < runs; run += 1) {
  const begun = performance.now()
  const sources: [Store] = [store]
  const isGraph = /^\s*(?:CONSTRUCT|DESCRIBE)\b/m.test(query)
  const found = isGraph
    ? await (await engine.queryQuads(query, { sources })).toArray()
    : await (await engine.queryBindings(query, { sources })).toArray()
  process.stdout.write(`${performance.now() - begun} ${found.length}\n`)
}
