import type { Compilable, CompiledQuery } from 'kysely'
import type { Reader } from './transaction.ts'

/** Stands for a parameter while the query is compiled; it never reaches a database. */
function marker(index: number): string {
  return `parameter ${index} of a query that is compiled once`
}

/**
 * A query on the way of every request that is built and compiled once for each database, instead of every time.
 * `build` gets as many texts as the query has parameters, each to be used as a value.
 */
export function prepareQuery<Row>(
  build: (reader: Reader, ...parameters: readonly string[]) => Compilable<Row>,
): (reader: Reader, ...values: readonly string[]) => Promise<Row[]> {
  const compiled = new WeakMap<Reader, CompiledQuery<Row>>()
  return async (reader, ...values) => {
    let query = compiled.get(reader)
    if (query === undefined) {
      query = build(reader, ...values.map((_value, index) => marker(index))).compile()
      compiled.set(reader, query)
    }
    const places = new Map<unknown, string>(values.map((value, index) => [marker(index), value]))
    const parameters = query.parameters.map((one) => places.get(one) ?? one)
    const bound: CompiledQuery<Row> = { ...query, parameters }
    return (await reader.executeQuery<Row>(bound)).rows
  }
}
