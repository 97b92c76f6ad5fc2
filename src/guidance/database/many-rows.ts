import type { CompiledQuery, KyselyPlugin, RootOperationNode } from 'kysely'

const marked = new WeakSet<RootOperationNode>()

/**
 * Says of a query that it answers thousands of rows: `.withPlugin(manyRows).execute()`. SQLite hands them
 * over as one JSON text, which holds no bytes, nor more than 63 columns, and JSON made by the query comes
 * parsed. PostgreSQL does nothing special.
 */
export const manyRows: KyselyPlugin = {
  transformQuery: ({ node }) => {
    const own = { ...node }
    marked.add(own)
    return own
  },
  transformResult: ({ result }) => Promise.resolve(result),
}

export function answersManyRows({ query }: CompiledQuery): boolean {
  return marked.has(query)
}
