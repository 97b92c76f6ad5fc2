// Writes an invented ontology of any size (npm's own lines must stay out of it):
// npm run --silent generate -- --factor 10 > big.ttl
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { scaledOntology } from '../test/support/scaled-ontology.ts'

const { values } = parseArgs({ options: { factor: { type: 'string', default: '1' } } })

await pipeline(Readable.from(scaledOntology(Number(values.factor))), process.stdout)
