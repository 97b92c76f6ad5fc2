import { describe, expect, it } from 'vitest'
import { selectStatements, STATEMENT_COLUMNS } from '../../../src/graph/statements.ts'
import { ordered } from '../../../src/graph/syntax/subjects.ts'
import { packStatements } from '../../../src/ontology/release/statements.ts'
import { d3fIri, openTurtle } from '../../support/release.ts'

const ALL = {
  text: 'SELECT * WHERE { ?subject ?predicate ?object }',
  columns: STATEMENT_COLUMNS,
  optional: [],
}

describe('The statements of a release', async () => {
  const release = await openTurtle(`
    :A rdfs:label "A"@en ; rdfs:subClassOf :B , [ a owl:Restriction ; owl:someValuesFrom :B ] ; :p :A .
    :B rdfs:label "B" ; :p :A ; :at "2020-08-05"^^xsd:date . :C rdfs:seeAlso "http://example.org/x" .
  `)
  const { graph, statements: queried } = release
  const held = packStatements(await selectStatements(graph, ALL))

  describe.each([
    ['queried', queried],
    ['held', held],
  ])('that are %s', (_, statements) => {
    it('are those with the subjects, not those about them or of others', async () => {
      const from = await statements.from([d3fIri('A'), d3fIri('B')])
      expect(from).toHaveLength(7)
      expect(new Set(from.map(({ subject }) => subject.value))).toStrictEqual(new Set([d3fIri('A'), d3fIri('B')]))
    })

    it('are those with the object, including blank subjects', async () => {
      const to = await statements.to(d3fIri('B'))
      expect(to.map(({ subject }) => subject.type).sort()).toStrictEqual(['bnode', 'uri'])
      expect(new Set(to.map(({ object }) => object.value))).toStrictEqual(new Set([d3fIri('B')]))
    })

    it('are empty for an unknown subject, no subjects, and a text that looks like a name', async () => {
      expect(await statements.from(['http://example.org/x'])).toStrictEqual([])
      expect(await statements.from([])).toStrictEqual([])
      expect(await statements.to('http://example.org/x')).toStrictEqual([])
    })
  })

  it('are the same whether queried or held', async () => {
    for (const name of ['A', 'B', 'C', 'D']) {
      const iri = d3fIri(name)
      expect(ordered(await held.from([iri]))).toStrictEqual(ordered(await queried.from([iri])))
      expect(ordered(await held.to(iri))).toStrictEqual(ordered(await queried.to(iri)))
    }
  })
})
