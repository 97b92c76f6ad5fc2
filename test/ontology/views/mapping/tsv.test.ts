import { expect, it } from 'vitest'
import { TSV_FORMAT } from '../../../../src/ontology/views/mapping/tsv.ts'
import { results } from '../../../../src/ontology/views/rows.ts'

it('TSV writes each kind of term as Turtle does, and nothing for an unbound column', () => {
  const rows = [
    { a: { type: 'bnode', value: 'b1' }, b: { type: 'literal', value: 'x\ty\n"\\', 'xml:lang': 'en' } },
    { b: { type: 'literal', value: '5', datatype: 'http://x.example/integer' } },
  ] as const
  expect([...TSV_FORMAT.write(results(['a', 'b'], rows))].join('')).toBe(
    '?a\t?b\n_:b1\t"x\\ty\\n\\"\\\\"@en\n\t"5"^^<http://x.example/integer>\n',
  )
  expect(() => [...TSV_FORMAT.write([])]).toThrow('Only SPARQL results')
})
