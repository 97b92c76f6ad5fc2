import type { Compilable, CompiledQuery } from 'kysely'
import type { Reader } from './transaction.ts'

/** A placeholder for a parameter while the query is compiled; never sent to a database. */
function marker(index: number): string {
  return `parameter ${index} of a query that is compiled once`
}

/**
 * A frequent query, built and compiled only once for each database. `build` gets a placeholder for each parameter, to be used
 * as a value.
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
    const valuesByMarker = new Map<unknown, string>(values.map((value, index) => [marker(index), value]))
    const bound: CompiledQuery<Row> = {
      ...query,
      parameters: query.parameters.map((parameter) => valuesByMarker.get(parameter) ?? parameter),
    }
    return (await reader.executeQuery<Row>(bound)).rows
  }
}
