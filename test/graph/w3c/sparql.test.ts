// @module-tag long

import { afterAll, beforeAll, describe, it } from 'vitest'
import { hasW3cSuites } from '../../support/corpus.ts'
import { queryTests, type QueryTest } from './manifest.ts'
import { SuiteEndpoint } from './queries.ts'
import { expectToPass, type Exclusions } from './run.ts'

const SYNTAX_EXCLUDED: Exclusions = {
  'SERVICE is refused: the endpoint does not query others.': [
    'syntax-fed/test_1',
    'syntax-fed/test_2',
    'syntax-fed/test_3',
  ],
  'A function that is not in the standard is refused when the query is read, not when it is called.': [
    'syntax-sparql1/syntax-expr-05',
    'syntax-sparql1/syntax-order-05',
    'syntax-sparql1/syntax-order-06',
    'syntax-sparql2/syntax-function-01',
    'syntax-sparql2/syntax-function-02',
    'syntax-sparql2/syntax-function-03',
    'syntax-sparql2/syntax-function-04',
    'syntax-query/test_4',
  ],
  'Oxigraph takes `<` for a comparison where the longest token would be an IRI.': ['syntax-sparql3/syn-bad-26'],
}

const BY_VALUE = 'Oxigraph keeps numbers and times by their value, not as they are written.'
const GRAPH_VARIABLE = 'In Oxigraph, the variable of GRAPH is in scope within its pattern.'

const EXCLUDED_10: Exclusions = {
  [BY_VALUE]: [
    'distinct/distinct-1',
    'distinct/distinct-9',
    'expr-builtin/dawg-str-1',
    'expr-builtin/dawg-str-2',
    'expr-builtin/sameTerm-eq',
    'expr-builtin/sameTerm-not-eq',
    'expr-builtin/sameTerm-simple',
    'expr-equals/eq-graph-1',
    'expr-equals/eq-graph-2',
    'open-world/date-3',
    'open-world/open-eq-01',
  ],
  'Oxigraph says that a date with a time zone differs from one without, where that cannot be known.': [
    'open-world/date-2',
  ],
  [GRAPH_VARIABLE]: ['graph/graph-optional', 'graph/graph-variable-scope'],
  'Oxigraph lets a filter in doubled braces see the variables outside.': [
    'optional-filter/dawg-optional-filter-005-not-simplified',
  ],
}

const EXCLUDED_11: Exclusions = {
  'SERVICE is refused: the endpoint does not query others.': [
    'service/service1',
    'service/service2',
    'service/service3',
    'service/service4a',
    'service/service5',
    'service/service6',
    'service/service7',
  ],
  [BY_VALUE]: ['csv-tsv-res/csv03', 'csv-tsv-res/tsv03'],
  [GRAPH_VARIABLE]: ['aggregates/agg-empty-group-count-graph', 'bindings/graph', 'negation/graph-minus'],
  'Oxigraph keeps a language tag that all texts share in GROUP_CONCAT.': [
    'aggregates/agg-groupconcat-04',
    'aggregates/agg-groupconcat-06',
  ],
  'Oxigraph makes the same blank node of the same text in every row (BNODE).': ['functions/bnode01'],
  'Oxigraph finds a path of no length only at nodes that the graph has.': [
    'property-path/zero_or_more_set_end',
    'property-path/zero_or_more_set_start',
    'property-path/zero_or_one_set_end',
    'property-path/zero_or_one_set_start',
  ],
}

const SPARQL_10 = [
  'algebra',
  'ask',
  'basic',
  'bnode-coreference',
  'boolean-effective-value',
  'bound',
  'cast',
  'construct',
  'dataset',
  'distinct',
  'expr-builtin',
  'expr-equals',
  'expr-ops',
  'graph',
  'i18n',
  'open-world',
  'optional',
  'optional-filter',
  'reduced',
  'regex',
  'solution-seq',
  'sort',
  'syntax-sparql1',
  'syntax-sparql2',
  'syntax-sparql3',
  'syntax-sparql4',
  'syntax-sparql5',
  'triple-match',
  'type-promotion',
]
/** Suites for queries; updates and entailment are not supported. */
const SPARQL_11 = [
  'aggregates',
  'bind',
  'bindings',
  'cast',
  'construct',
  'csv-tsv-res',
  'exists',
  'functions',
  'grouping',
  'json-res',
  'negation',
  'project-expression',
  'property-path',
  'service',
  'subquery',
  'syntax-fed',
  'syntax-query',
]

async function testsIn(version: string, folders: readonly string[]): Promise<readonly QueryTest[]> {
  const tests = await Promise.all(folders.map((folder) => queryTests(`${version}/${folder}`)))
  return tests.flat()
}

describe.skipIf(!hasW3cSuites)('The SPARQL endpoint', () => {
  let endpoint: SuiteEndpoint
  let all10: readonly QueryTest[] = []
  let all11: readonly QueryTest[] = []

  beforeAll(async () => {
    endpoint = new SuiteEndpoint()
    all10 = await testsIn('sparql10', SPARQL_10)
    all11 = await testsIn('sparql11', SPARQL_11)
  })

  afterAll(() => endpoint.close())

  async function expectTests(name: string, tests: readonly QueryTest[], excluded: Exclusions): Promise<void> {
    const faulted = tests.map((test) => ({ name: test.name, fault: () => endpoint.faultOf(test) }))
    await expectToPass(name, faulted, excluded)
  }

  it('accepts and rejects queries as the W3C suites require', async () => {
    const tests = [...all10, ...all11].filter(({ kind }) => kind !== 'answer')
    await expectTests('SPARQL syntax', tests, SYNTAX_EXCLUDED)
  })

  it('answers queries as the SPARQL 1.0 suite requires', async () => {
    const tests = all10.filter(({ kind }) => kind === 'answer')
    await expectTests('SPARQL 1.0 evaluation', tests, EXCLUDED_10)
  })

  it('answers queries as the SPARQL 1.1 suite requires', async () => {
    const tests = all11.filter(({ kind }) => kind === 'answer')
    await expectTests('SPARQL 1.1 evaluation', tests, EXCLUDED_11)
  })
})
