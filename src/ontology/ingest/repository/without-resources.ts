import { append } from '../../../platform/append.ts'

/** N-Quads of the default graph: subject, predicate and object as they are written. */
const STATEMENT = /^(<[^>]*>|_:\S+) (<[^>]*>) (.*) \.$/s

/**
 * Removes every statement that contains one of some IRIs, and all statements of blank nodes that contain one: an axiom
 * about something unpublished is not published either.
 */
export function withoutResources(nquads: string, iris: ReadonlySet<string>): string {
  const lines = nquads.split('\n').flatMap(readLine)
  const removed = new Set(Array.from(iris, (iri) => `<${iri}>`))
  const users = new Map<string, string[]>()
  const parts = new Map<string, string[]>()
  for (const { terms } of lines) {
    const [subject, , object] = terms
    if (isBlank(subject) && terms.some((term) => removed.has(term))) removed.add(subject)
    if (isBlank(subject) && isBlank(object)) {
      append(users, object, subject)
      append(parts, subject, object)
    }
  }
  addLinked(removed, users)
  addLinked(removed, parts)
  return lines.flatMap(({ text, terms }) => (terms.some((term) => removed.has(term)) ? [] : [text])).join('\n')
}

function readLine(
  text: string,
): readonly { readonly text: string; readonly terms: readonly [subject: string, predicate: string, object: string] }[] {
  const [, subject, predicate, object] = STATEMENT.exec(text) ?? []
  if (subject === undefined || predicate === undefined || object === undefined) return []
  return [{ text, terms: [subject, predicate, object] }]
}

function isBlank(term: string): boolean {
  return term.startsWith('_:')
}

/** Adds all blank nodes that are linked to nodes of the set. */
function addLinked(nodes: Set<string>, links: ReadonlyMap<string, readonly string[]>): void {
  // Iterating over a Set also visits elements that are added meanwhile.
  for (const node of nodes) for (const next of links.get(node) ?? []) nodes.add(next)
}
