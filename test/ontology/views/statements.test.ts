import { describe, expect, it } from 'vitest'
import { iri, text } from '../../../src/graph/term.ts'
import { d3f, rdfs } from '../../../src/graph/vocabulary.ts'
import {
  findStatements,
  labelStatements,
  statement,
  summaryStatements,
} from '../../../src/ontology/views/statements.ts'
import { d3fIri, openTurtle } from '../../support/release.ts'

describe('The statements of subjects', async () => {
  const release = await openTurtle(`
    :A rdfs:label "A" ; rdfs:subClassOf :B , [ a owl:Restriction ] .
    :B rdfs:label "B" .
  `)

  it('leave out blank nodes where sections do', async () => {
    const statements = await findStatements(release, [d3fIri('A')])
    expect(statements.map(({ object }) => object.value).sort()).toStrictEqual(['A', d3fIri('B')])
  })

  it('can be made from the short facts', () => {
    const expected = [statement(d3fIri('A'), rdfs.label, text('A'))]
    expect(summaryStatements(release, d3fIri('A'), [rdfs.label, d3f.cweId])).toStrictEqual(expected)
    expect(labelStatements(release, d3fIri('A'))).toStrictEqual(expected)
  })

  it('can be said with an IRI as a string', () => {
    expect(statement('a:s', 'a:p', 'a:o')).toStrictEqual({
      subject: iri('a:s'),
      predicate: iri('a:p'),
      object: iri('a:o'),
    })
  })
})
