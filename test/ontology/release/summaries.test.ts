import { describe, expect, it } from 'vitest'
import { d3f, RDFS, rdfs, skos } from '../../../src/graph/vocabulary.ts'
import { d3fIri, openTurtle } from '../../support/release.ts'

describe('Summaries', () => {
  it('hold labels, other names and identifiers, values sorted', async () => {
    const { summaries } = await openTurtle(`
      :Diary rdfs:label "Diary" ;
        skos:altLabel "Notes" , "Journal" ;
        :synonym "Daybook" ;
        :d3fend-id "D3-D" .
    `)
    const values = (property: string): readonly string[] =>
      summaries.values(d3fIri('Diary'), property).map(({ value }) => value)
    expect(values(rdfs.label)).toStrictEqual(['Diary'])
    expect(values(skos.altLabel)).toStrictEqual(['Journal', 'Notes'])
    expect(values(d3f.synonym)).toStrictEqual(['Daybook'])
    expect(summaries.has(d3fIri('Diary'), d3f.d3fendId)).toBe(true)
    expect(summaries.has(d3fIri('Diary'), d3f.attackId)).toBe(false)
    expect(summaries.labels(d3fIri('Diary'))).toStrictEqual([{ type: 'literal', value: 'Diary' }])
  })

  it('keep datatypes and languages', async () => {
    const { summaries } = await openTurtle(`
      :Detect :display-order -1 ; rdfs:label "Entdecken"@de .
    `)
    expect(summaries.values(d3fIri('Detect'), d3f.displayOrder)).toStrictEqual([
      { type: 'literal', value: '-1', datatype: 'http://www.w3.org/2001/XMLSchema#integer' },
    ])
    expect(summaries.labels(d3fIri('Detect'))).toStrictEqual([
      { type: 'literal', value: 'Entdecken', 'xml:lang': 'de' },
    ])
  })

  it('leave out other properties, IRIs as values and blank subjects', async () => {
    const { summaries } = await openTurtle(`
      :A rdfs:comment "a remark" ; :definition :Elsewhere .
      [] rdfs:label "nobody" .
    `)
    expect(summaries.has(d3fIri('A'), `${RDFS}comment`)).toBe(false)
    expect(summaries.has(d3fIri('A'), d3f.definition)).toBe(false)
    expect([...summaries.withProperty(rdfs.label)]).toStrictEqual([])
  })

  it('are empty for an unknown subject', async () => {
    const { summaries } = await openTurtle(':A rdfs:label "A" .')
    expect(summaries.values(d3fIri('B'), rdfs.label)).toStrictEqual([])
    expect(summaries.has(d3fIri('B'), rdfs.label)).toBe(false)
  })

  it('list the subjects that have a property', async () => {
    const { summaries } = await openTurtle(`
      :A :cwe-id "CWE-1" . :B :cwe-id "CWE-2" . :C rdfs:label "C" .
    `)
    const subjects = Array.from(summaries.withProperty(d3f.cweId), ([subject]) => subject)
    expect(subjects.sort()).toStrictEqual([d3fIri('A'), d3fIri('B')])
  })
})
