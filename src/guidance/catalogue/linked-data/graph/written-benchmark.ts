import type { BenchmarkHead } from '../../xccdf/benchmark.ts'
import type { RuleInGraph } from './catalogue-source.ts'
import type { Iris } from './iris.ts'
import { projector } from './project.ts'

type Rules = AsyncIterable<readonly RuleInGraph[]>

/** A benchmark as N-Quads, which are written while its rules are read. */
export class WrittenBenchmark {
  readonly #head: BenchmarkHead
  readonly #rules: Rules
  readonly #iris: Iris
  #readError: unknown = null

  constructor(head: BenchmarkHead, rules: Rules, iris: Iris) {
    this.#head = head
    this.#rules = rules
    this.#iris = iris
  }

  /** The error of reading the rules; null without one. */
  get readError(): unknown {
    return this.#readError
  }

  async *nquads(): AsyncGenerator<string> {
    const write = projector(this.#head, this.#iris)
    for await (const portion of this.#read()) yield write(portion)
  }

  async *#read(): AsyncGenerator<readonly RuleInGraph[]> {
    const rules = this.#rules
    try {
      yield* rules
    } catch (error) {
      this.#readError = error
      throw error
    }
  }
}
