import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Names } from '../../../src/graph/names.ts'
import { EmbeddedGraph } from '../../../src/graph/store.ts'
import { runChecks } from '../../../src/ontology/ingest/checks.ts'
import type { CheckResult } from '../../../src/ontology/release/manifest.ts'
import { withPrefixes } from '../../support/release.ts'

const CHECKS = readdirSync(new URL('../../../src/ontology/ingest/checks/', import.meta.url)).map((file) =>
  file.replace(/\.rq$/, ''),
)

/** Turtle that violates a check, what the check then shows, and Turtle that does not. */
interface Case {
  readonly severity: CheckResult['severity']
  readonly violated: string
  readonly examples: readonly string[]
  readonly kept: string
}

const CASES: Readonly<Record<string, Case>> = {
  'cyclic-subclass': {
    severity: 'error',
    violated: ':A rdfs:subClassOf :B . :B rdfs:subClassOf :C . :C rdfs:subClassOf :A .',
    examples: ['d3f:A', 'd3f:B', 'd3f:C'],
    kept: ':A rdfs:subClassOf :B , :C . :B rdfs:subClassOf :C .',
  },
  'dangling-object': {
    severity: 'warning',
    violated: ':A rdfs:seeAlso :Gone ; :p :Here . :Here rdfs:label "Here" .',
    examples: ['d3f:Gone (d3f:A)'],
    kept: ':A rdfs:seeAlso :Here , <http://example.org/gone> . :Here rdfs:label "Here" .',
  },
  'duplicate-identifier': {
    severity: 'error',
    violated: ':A :attack-id "T9001" . :B :attack-id "T9001" .',
    examples: ['d3f:A (T9001)', 'd3f:B (T9001)'],
    kept: ':A :attack-id "T9001" ; :d3fend-id "X" . :B :attack-id "T9002" ; :cwe-id "X" .',
  },
  'matrix-disagrees': {
    severity: 'warning',
    violated: `:Top rdfs:subClassOf :DefensiveTechnique ; :enables :Detect ; :d3fend-id "D3-T" .
      :Draft rdfs:subClassOf :Top .
      :Idle rdfs:subClassOf :DefensiveTechnique ; :d3fend-id "D3-I" .
      :Detect rdfs:subClassOf :DefensiveTactic .`,
    examples: ['d3f:Draft (in the matrix, not in the list)', 'd3f:Idle (in the list, not in the matrix)'],
    kept: `:Top rdfs:subClassOf :DefensiveTechnique ; :enables :Detect ; :d3fend-id "D3-T" .
      :Low rdfs:subClassOf :Top ; :d3fend-id "D3-L" .
      :Idle rdfs:subClassOf :DefensiveTechnique .
      :Detect rdfs:subClassOf :DefensiveTactic .`,
  },
  'missing-definition': {
    severity: 'warning',
    violated: `:T rdfs:subClassOf :DefensiveTechnique ; :d3fend-id "D3-T" .
      :Detect rdfs:subClassOf :DefensiveTactic .`,
    examples: ['d3f:Detect', 'd3f:T'],
    kept: `:T rdfs:subClassOf :DefensiveTechnique ; :d3fend-id "D3-T" ; :definition "A." .
      :Draft rdfs:subClassOf :DefensiveTechnique .
      :Detect rdfs:subClassOf :DefensiveTactic ; :definition "B." .`,
  },
  'missing-identifier': {
    severity: 'warning',
    violated: ':T rdfs:subClassOf :U . :U rdfs:subClassOf :DefensiveTechnique ; :d3fend-id "D3-U" .',
    examples: ['d3f:T'],
    kept: ':T rdfs:subClassOf :DefensiveTechnique ; :d3fend-id "D3-T" .',
  },
  'missing-label': {
    severity: 'error',
    violated: ['DefensiveTactic', 'DigitalArtifact', 'OffensiveTechnique', 'Weakness']
      .map((root, index) => `:A${index} rdfs:subClassOf :${root} .`)
      .join(' '),
    examples: ['d3f:A0', 'd3f:A1', 'd3f:A2', 'd3f:A3'],
    kept: ':A rdfs:subClassOf :DigitalArtifact ; rdfs:label "A" . :B rdfs:subClassOf :Else .',
  },
  'relation-without-label': {
    severity: 'error',
    violated: `:File rdfs:subClassOf :DigitalArtifact .
      :T rdfs:subClassOf :OffensiveTechnique ; :reads :File ; rdfs:seeAlso :File ; :enables :Execution .`,
    examples: ['d3f:enables', 'd3f:reads'],
    kept: `:File rdfs:subClassOf :DigitalArtifact . :reads rdfs:label "reads" . :enables rdfs:label "enables" .
      :T rdfs:subClassOf :OffensiveTechnique ; :reads :File ; :mumbles :Nothing ; :enables :Execution .`,
  },
  'several-identifiers': {
    severity: 'error',
    violated: ':A :cwe-id "CWE-1" , "CWE-2" .',
    examples: ['d3f:A (d3f:cwe-id)'],
    kept: ':A :cwe-id "CWE-1" ; :attack-id "T9001" .',
  },
  'several-labels': {
    severity: 'warning',
    violated: ':A rdfs:label "one" , "two" .',
    examples: ['d3f:A'],
    kept: ':A rdfs:label "one" . [] rdfs:label "one" , "two" .',
  },
  'tactic-without-order': {
    severity: 'warning',
    violated: ':Detect rdfs:subClassOf :DefensiveTactic .',
    examples: ['d3f:Detect'],
    kept: ':Detect rdfs:subClassOf :DefensiveTactic ; :display-order 1 .',
  },
  'technique-without-tactic': {
    severity: 'error',
    violated: `:T rdfs:subClassOf :DefensiveTechnique .
      :Attack rdfs:subClassOf :OffensiveTechnique ; :attack-id "T9001" .`,
    examples: ['d3f:Attack', 'd3f:T'],
    kept: `:T rdfs:subClassOf :Top . :Top rdfs:subClassOf :DefensiveTechnique ; :enables :Detect .
      :Kind rdfs:subClassOf :OffensiveTechnique .`,
  },
}

async function check(name: string, turtle: string): Promise<CheckResult> {
  const graph = new EmbeddedGraph()
  graph.load(new TextEncoder().encode(withPrefixes(turtle)), 'text/turtle')
  const result = (await runChecks(graph, new Names({}))).find((each) => each.name === name)
  if (result === undefined) throw new Error(`There is no check ${name}`)
  return result
}

it('Every check has a test case', () => {
  expect(Object.keys(CASES).sort()).toStrictEqual([...CHECKS].sort())
})

describe.each(Object.entries(CASES))('The check %s', (name, { severity, violated, examples, kept }) => {
  it('finds a violation', async () => {
    const result = await check(name, violated)
    expect(result.examples).toStrictEqual(examples)
    expect(result.violations).toBe(examples.length)
  })

  it('accepts a graph without a violation', async () => {
    expect(await check(name, kept)).toMatchObject({ violations: 0, examples: [] })
  })

  it('has a title and a severity', async () => {
    const result = await check(name, kept)
    expect(result.summary).toMatch(/^[A-Z].*\.$/)
    expect(result.severity).toBe(severity)
  })
})

describe('The checks', () => {
  it('run in order of name and change nothing', async () => {
    const graph = new EmbeddedGraph()
    graph.load(new TextEncoder().encode('<a:b> <a:c> <a:d> .'), 'text/turtle')
    const results = await runChecks(graph, new Names({}))
    expect(results.map(({ name }) => name)).toStrictEqual([...CHECKS].sort())
    expect(graph.size).toBe(1)
  })

  it('show five examples at most and count them all', async () => {
    const turtle = Array.from({ length: 8 }, (_, i) => `:A${i} rdfs:label "one" , "two" .`)
    const result = await check('several-labels', turtle.join(' '))
    expect(result.violations).toBe(8)
    expect(result.examples).toStrictEqual(['d3f:A0', 'd3f:A1', 'd3f:A2', 'd3f:A3', 'd3f:A4'])
  })

  it('report a target of a restriction as dangling', async () => {
    const turtle = ':A rdfs:subClassOf [ owl:onProperty :p ; owl:someValuesFrom :Gone ] .'
    const result = await check('dangling-object', turtle)
    expect(result.examples.join(' ')).toContain('d3f:Gone')
  })
})
