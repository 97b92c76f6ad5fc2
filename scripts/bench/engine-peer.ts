// The engine that Parapet embeds behind the least of HTTP that can carry its answers; for bench:sparql.
// tsx engine-peer.ts PORT FILE, where the file is JSON: {main, graphs: [{iri, file}]}
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { NamedGraphs } from '../../src/graph/store.ts'

const [port, file = ''] = process.argv.slice(2)
const { main, graphs } = z
  .object({ main: z.string(), graphs: z.array(z.object({ iri: z.string(), file: z.string() })) })
  .parse(JSON.parse(readFileSync(file, 'utf8')))

const engine = new NamedGraphs()
for (const graph of graphs) engine.load(graph.iri, readFileSync(graph.file))
const dataset = { defaults: [main], named: graphs.map(({ iri }) => iri) }

createServer((request, response) => {
  void text(request).then((form) => {
    const query = new URLSearchParams(form).get('query') ?? 'ASK {}'
    const mediaType = request.headers.accept === 'application/n-triples' ? request.headers.accept : undefined
    const answer = engine.answer(query, {
      dataset,
      mediaType: mediaType ?? 'application/sparql-results+json',
      baseIri: 'http://localhost:3000/sparql',
    })
    response.setHeader('Content-Length', Buffer.byteLength(answer))
    response.end(answer)
  })
}).listen(Number(port), '127.0.0.1')
