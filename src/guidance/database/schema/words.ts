export type StaleKind = 'benchmark_rule' | 'rule' | 'component'

/** Records whose words are behind their texts. Empty whenever a transaction has ended. */
export interface StaleWordsTable {
  kind: StaleKind
  id: number
}

/** Words in the titles of the rules of a benchmark, in lower case, each once. */
export interface BenchmarkWordsTable {
  word: string
  benchmark_id: number
}
