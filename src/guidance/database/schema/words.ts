export type StaleKind = 'benchmark_rule' | 'rule' | 'component'

/** Records whose words are out of date. Empty between transactions. */
export interface StaleWordsTable {
  kind: StaleKind
  id: number
}

/** Words of the rule titles of a benchmark, in lower case, without duplicates. */
export interface BenchmarkWordsTable {
  word: string
  benchmark_id: number
}
