import type { CompiledQuery, KyselyPlugin, RootOperationNode } from 'kysely'

const marked = new WeakSet<RootOperationNode>()

/**
 * For queries that return thousands of rows: `.withPlugin(manyRows).execute()`. SQLite returns them as one JSON
 * text; they must not have bytes or more than 63 columns, and JSON made by the query arrives parsed. No effect on
 * PostgreSQL.
 */
export const manyRows: KyselyPlugin = {
  transformQuery: ({ node }) => {
    const copy = { ...node }
    marked.add(copy)
    return copy
  },
  transformResult: ({ result }) => Promise.resolve(result),
}

export function answersManyRows({ query }: CompiledQuery): boolean {
  return marked.has(query)
}
