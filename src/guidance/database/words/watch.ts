import {
  DeleteQueryNode,
  InsertQueryNode,
  RawNode,
  TableNode,
  UpdateQueryNode,
  type KyselyPlugin,
  type OperationNode,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryResult,
  type RootOperationNode,
  type UnknownRow,
} from 'kysely'

/** Tables whose triggers mark words as out of date. */
const WITH_TEXTS: ReadonlySet<string> = new Set([
  ...['benchmarks', 'benchmark_rules', 'benchmark_checks', 'benchmark_fixes', 'benchmark_idents'],
  ...['rules', 'rule_checks', 'components', 'stale_words'],
])

/** Notices whether a transaction may have changed texts; if not, the database need not be asked. */
export class TextWatch implements KyselyPlugin {
  #touched = false

  /** Also true after any statement in raw SQL. */
  get touched(): boolean {
    return this.#touched
  }

  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    this.#touched ||= changesTexts(node)
    return node
  }

  transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return Promise.resolve(result)
  }
}

function changesTexts(node: RootOperationNode): boolean {
  if (InsertQueryNode.is(node)) return hasTexts(node.into)
  if (UpdateQueryNode.is(node)) return hasTexts(node.table)
  if (DeleteQueryNode.is(node)) return node.from.froms.some(hasTexts)
  return RawNode.is(node)
}

function hasTexts(node: OperationNode | undefined): boolean {
  if (node === undefined || !TableNode.is(node)) return true
  return WITH_TEXTS.has(node.table.identifier.name)
}
