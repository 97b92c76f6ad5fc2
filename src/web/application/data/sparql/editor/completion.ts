import type { QueryGraph } from '../vocabulary/graphs.ts'

/** The names that a query can be completed with. */
export interface Vocabulary {
  /** Namespaces by their prefixes, without the colon. */
  readonly prefixes: ReadonlyMap<string, string>
  /** IRIs of properties and classes. */
  readonly terms: readonly string[]
  readonly graphs: readonly QueryGraph[]
}

export interface Suggestion {
  readonly label: string
  readonly kind: 'keyword' | 'variable' | 'namespace' | 'property' | 'graph'
  readonly detail?: string
  /** The text that is inserted; default: the label. */
  readonly insert?: string
  /** The line that the query needs at its top for it. */
  readonly declaration?: string
}

export interface Suggestions {
  /** Start of the text that a suggestion replaces. */
  readonly from: number
  readonly items: readonly Suggestion[]
}

const KEYWORDS =
  'ASK BASE BIND CONSTRUCT COUNT DESCRIBE DISTINCT EXISTS FILTER FROM GRAPH HAVING LIMIT MINUS NAMED NOT OFFSET OPTIONAL PREFIX REDUCED SELECT UNION UNDEF VALUES WHERE'.split(
    ' ',
  )
const PHRASES = ['GROUP BY', 'ORDER BY', 'FILTER NOT EXISTS', 'FROM NAMED', 'SELECT DISTINCT', 'CONTAINS', 'STRSTARTS']
const DECLARED = /\bPREFIX\s+([A-Za-z][\w-]*)?:\s*<([^<>\s]*)>/gi

/** The suggestions at a place of a query; null in comments and strings, and before anything is typed. */
export function suggestAt(query: string, position: number, vocabulary: Vocabulary): Suggestions | null {
  const before = query.slice(0, position)
  const line = before.slice(before.lastIndexOf('\n') + 1)
  if (/["'#]/.test(line.replaceAll(/<[^<>\s]*>|"[^"]*"|'[^']*'/g, '').replace(/<[^<>\s]*$/, ''))) return null
  for (const [pattern, suggest] of COMPLETIONS) {
    const [typed] = pattern.exec(line) ?? []
    if (typed !== undefined) return { from: position - typed.length, items: suggest(query, typed, vocabulary) }
  }
  return null
}

type Suggest = (query: string, typed: string, vocabulary: Vocabulary) => readonly Suggestion[]

/** Rules by the text before the cursor; the first match counts. */
const COMPLETIONS: readonly (readonly [RegExp, Suggest])[] = [
  [/[?$]\w*$/, suggestVariables],
  [/<[^<>\s]*$/, suggestGraphs],
  [/(?<=\bPREFIX\s+)[\w-]*:?$/i, suggestDeclarations],
  [/(?:[A-Za-z][\w-]*)?:[\w.-]*$/, suggestNames],
  [/[A-Za-z][\w-]*$/, suggestWords],
]

function suggestVariables(query: string, typed: string): readonly Suggestion[] {
  const names = new Set(Array.from(query.matchAll(/[?$]\w+/g), ([name]) => name))
  return [...names].filter((name) => name !== typed).map((label) => ({ label, kind: 'variable' }))
}

function suggestGraphs(_query: string, _typed: string, { graphs }: Vocabulary): readonly Suggestion[] {
  return graphs.map(({ iri, title }) => ({ label: `<${iri}>`, kind: 'graph', detail: title }))
}

function suggestDeclarations(query: string, _typed: string, { prefixes }: Vocabulary): readonly Suggestion[] {
  const declared = declaredPrefixes(query)
  return [...prefixes]
    .filter(([prefix]) => !declared.has(prefix))
    .map(([prefix, iri]) => ({ label: `${prefix}:`, kind: 'namespace', detail: iri, insert: `${prefix}: <${iri}>` }))
}

function suggestNames(query: string, typed: string, { prefixes, terms }: Vocabulary): readonly Suggestion[] {
  const prefix = typed.slice(0, typed.indexOf(':'))
  const declared = declaredPrefixes(query)
  const namespace = declared.get(prefix) ?? prefixes.get(prefix)
  if (namespace === undefined) return []
  return namesIn(namespace, terms).map((name) => ({
    label: `${prefix}:${name}`,
    kind: 'property',
    ...(!declared.has(prefix) && { declaration: `PREFIX ${prefix}: <${namespace}>\n` }),
  }))
}

function namesIn(namespace: string, terms: readonly string[]): readonly string[] {
  return terms.flatMap((iri) => {
    const name = iri.startsWith(namespace) ? iri.slice(namespace.length) : ''
    return /^\w[\w.-]*$/.test(name) ? [name] : []
  })
}

function suggestWords(query: string, _typed: string, { prefixes }: Vocabulary): readonly Suggestion[] {
  const knownPrefixes = new Map([...prefixes, ...declaredPrefixes(query)])
  return [
    ...[...KEYWORDS, ...PHRASES].map((label): Suggestion => ({ label, kind: 'keyword' })),
    ...[...knownPrefixes].map(([prefix, iri]): Suggestion => ({ label: `${prefix}:`, kind: 'namespace', detail: iri })),
  ]
}

function declaredPrefixes(query: string): ReadonlyMap<string, string> {
  return new Map(Array.from(query.matchAll(DECLARED), ([, prefix = '', iri = '']) => [prefix, iri] as const))
}

/** Offsets of the token at a line and column, both counted from 1; the end of the text if it is shorter. */
export function rangeAt(query: string, line: number, column: number): { readonly from: number; readonly to: number } {
  const lines = query.split('\n')
  const start = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0)
  const from = Math.min(start + column - 1, query.length)
  const [token = ''] = /^(?:[\w?$:.<>#/-]+|\S)/.exec(query.slice(from)) ?? []
  return { from, to: from + token.length }
}
