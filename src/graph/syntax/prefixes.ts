import type { Statement, Term } from '../term.ts'

/** Namespaces by prefix. */
export type Prefixes = Readonly<Record<string, string>>

/** Prefixes that are allowed in Turtle, JSON-LD and XML, which reserves those that begin with `xml`. */
const PREFIX = /^(?!xml)[A-Za-z](?:[\w.-]*[\w-])?$/i
/** JSON-LD 1.1 (§4.1.2) takes only namespaces that end with a delimiter. */
const NAMESPACE = /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]*[#/:?]$/i
const SCHEME = /^([a-z][a-z0-9+.-]*):(?!\/\/)/i

/**
 * Selects the prefixes with which every name can be read back in every syntax. `doi` is not usable if a subject is
 * called `doi:10.1000/1`, because JSON-LD cannot tell that from a prefixed name.
 */
export function usablePrefixes(declared: Prefixes, schemes: ReadonlySet<string>): Prefixes {
  const usable = Object.entries(declared).filter(
    ([prefix, namespace]) => PREFIX.test(prefix) && NAMESPACE.test(namespace) && !schemes.has(prefix),
  )
  // If two prefixes have one namespace, the first wins, so that each name has one spelling.
  const first = new Map<string, string>()
  for (const [prefix, namespace] of usable) if (!first.has(namespace)) first.set(namespace, prefix)
  return Object.fromEntries(usable.filter(([prefix, namespace]) => first.get(namespace) === prefix))
}

/** Schemes of IRIs that could be read as prefixed names. */
export function schemesOf(statements: Iterable<Statement>): ReadonlySet<string> {
  const schemes = new Set<string>()
  const addScheme = (term: Term): void => {
    const iri = term.type === 'literal' ? (term.datatype ?? '') : term.value
    const scheme = term.type === 'bnode' ? undefined : SCHEME.exec(iri)?.[1]
    if (scheme !== undefined) schemes.add(scheme)
  }
  for (const { subject, predicate, object } of statements) [subject, predicate, object].forEach(addScheme)
  return schemes
}

export type Shorten = (iri: string) => string

/** Writes an IRI as a prefixed name if the rest is a plain name. */
export function shortener(prefixes: Prefixes): Shorten {
  const byNamespace = new Map(Object.entries(prefixes).map(([prefix, iri]) => [iri, prefix]))
  return (iri) => {
    const nameStart = Math.max(iri.lastIndexOf('#'), iri.lastIndexOf('/')) + 1
    const prefix = byNamespace.get(iri.slice(0, nameStart))
    return prefix === undefined || nameStart === iri.length ? iri : `${prefix}:${iri.slice(nameStart)}`
  }
}
