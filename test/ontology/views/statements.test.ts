import { describe, expect, it } from 'vitest'
import { iri, text } from '../../../src/graph/term.ts'
import { d3f, rdfs } from '../../../src/graph/vocabulary.ts'
import {
  findAllStatements,
  findStatements,
  labelStatements,
  statement,
  summaryStatements,
} from '../../../src/ontology/views/statements.ts'
import { d3fIri, openTurtle } from '../../support/release.ts'

describe('The statements of subjects', async () => {
  const release = await openTurtle(`
    :A rdfs:label "A" ; rdfs:subClassOf :B , [ a owl:Restriction ] .
    :B rdfs:label "B" ; :p :A . :C rdfs:label "C" .
  `)

  it('are all that is said of them, not about them or of others', async () => {
    const statements = await findAllStatements(release, [d3fIri('A'), d3fIri('B')])
    const subjects = statements.map(({ subject }) => subject.value)
    expect(subjects).toHaveLength(5)
    expect(new Set(subjects)).toStrictEqual(new Set([d3fIri('A'), d3fIri('B')]))
  })

  it('leave out blank nodes where sections do', async () => {
    const statements = await findStatements(release, [d3fIri('A')])
    expect(statements.map(({ object }) => object.value).sort()).toStrictEqual(['A', d3fIri('B')])
  })

  it('are empty for an unknown subject, and for no subjects', async () => {
    expect(await findAllStatements(release, ['http://example.org/x'])).toStrictEqual([])
    expect(await findAllStatements(release, [])).toStrictEqual([])
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
