import type { Statement, Term } from '../../../../graph/term.ts'
import { rdf } from '../../../../graph/vocabulary.ts'
import { append } from '../../../../platform/append.ts'
import { literalText } from '../graph/literals.ts'

type Prefixes = Readonly<Record<string, string>>

/** Names that need no escapes anywhere (Turtle's PN_LOCAL allows more). */
const PLAIN_NAME = /^[A-Za-z_](?:[\w-]*\w)?$/

/**
 * Statements as Turtle (W3C RDF 1.1 Turtle): one block for each subject, with subjects and properties in order of
 * first appearance. There must be no blank nodes.
 */
export function turtleDocument(statements: readonly Statement[], prefixes: Prefixes): string {
  const shorten = shortener(prefixes)
  const heads = Object.entries(prefixes).map(([prefix, iri]) => `@prefix ${prefix}: <${iri}> .\n`)
  const blocks = [...group(statements, ({ subject }) => subject.value)].map(
    ([subject, own]) => `\n${shorten(subject)}${properties(own, shorten)} .\n`,
  )
  return [...heads, ...blocks].join('')
}

type Shorten = (iri: string) => string

function properties(statements: readonly Statement[], shorten: Shorten): string {
  return [...group(statements, ({ predicate }) => predicate.value)]
    .map(([predicate, own]) => {
      const verb = predicate === rdf.type ? 'a' : shorten(predicate)
      const objects = own.map(({ object }) => termText(object, shorten))
      return `\n  ${verb} ${objects.join(',\n    ')}`
    })
    .join(' ;')
}

function termText(term: Term, shorten: Shorten): string {
  if (term.type === 'uri') return shorten(term.value)
  if (term.type === 'bnode') return `_:${term.value}`
  const language = term['xml:lang']
  const text = literalText(term.value, term.datatype)
  return language === undefined ? text : `${text}@${language}`
}

function shortener(prefixes: Prefixes): Shorten {
  const namespaces = Object.entries(prefixes)
  return (iri) => {
    const match = namespaces.find(([, namespace]) => iri.startsWith(namespace))
    const name = match === undefined ? '' : iri.slice(match[1].length)
    return match !== undefined && PLAIN_NAME.test(name) ? `${match[0]}:${name}` : `<${iri}>`
  }
}

function group(
  statements: readonly Statement[],
  key: (statement: Statement) => string,
): ReadonlyMap<string, readonly Statement[]> {
  const groups = new Map<string, Statement[]>()
  for (const statement of statements) append(groups, key(statement), statement)
  return groups
}
