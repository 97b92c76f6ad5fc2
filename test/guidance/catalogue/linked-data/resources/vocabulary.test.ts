import { describe, expect, it } from 'vitest'
import { EmbeddedGraph } from '../../../../../src/graph/store.ts'
import type { Statement } from '../../../../../src/graph/term.ts'
import { OWL, rdf, RDFS } from '../../../../../src/graph/vocabulary.ts'
import { GUIDANCE_TERMS } from '../../../../../src/guidance/catalogue/linked-data/graph/guidance-terms.ts'
import { irisOf } from '../../../../../src/guidance/catalogue/linked-data/graph/iris.ts'
import {
  vocabularyStatements,
  vocabularyTurtle,
} from '../../../../../src/guidance/catalogue/linked-data/resources/vocabulary.ts'
import { BASE, GUIDANCE } from '../sample.ts'

const iris = irisOf(BASE)
const statements = await vocabularyStatements(iris)

function said(subject: string, predicate: string): readonly Statement[] {
  return statements.filter(
    (statement) => statement.subject.value === subject && statement.predicate.value === predicate,
  )
}

describe('The vocabulary', () => {
  it('defines exactly the terms in use', () => {
    const defined = new Set(statements.map(({ subject }) => subject.value))
    const used = GUIDANCE_TERMS.map((name) => GUIDANCE + name)
    expect([...defined].sort()).toStrictEqual([iris.vocabulary, ...used].sort())
  })

  it.each(GUIDANCE_TERMS)('explains %s', (name) => {
    for (const property of ['label', 'comment', 'isDefinedBy'])
      expect(said(GUIDANCE + name, RDFS + property)).toHaveLength(1)
    expect(said(GUIDANCE + name, `${RDFS}isDefinedBy`)[0]?.object.value).toBe(iris.vocabulary)
  })

  it('states the range of every property', () => {
    const properties = statements.filter(
      ({ predicate, object }) =>
        predicate.value === rdf.type && object.value.startsWith(OWL) && object.value.endsWith('Property'),
    )
    expect(properties.length).toBeGreaterThan(10)
    for (const { subject } of properties) expect(said(subject.value, `${RDFS}range`)).toHaveLength(1)
  })

  it('has the same statements in Turtle with any base URL', () => {
    const graph = new EmbeddedGraph()
    const turtle = new TextEncoder().encode(vocabularyTurtle(iris))
    graph.load(turtle, 'text/turtle', 'http://elsewhere.example/')
    expect(graph.size).toBe(statements.length)
    expect(graph.dump()).not.toContain('elsewhere')
  })
})
