import { append } from '../../../platform/append.ts'

/** N-Quads of the default graph: subject, predicate and object as they are written. */
const STATEMENT = /^(<[^>]*>|_:\S+) (<[^>]*>) (.*) \.$/s

interface Line {
  readonly text: string
  readonly terms: readonly [subject: string, predicate: string, object: string]
}

/**
 * Leaves out every statement that has one of some IRIs, and everything that is said by a blank node that has one: an
 * axiom about something that is not published is not published either.
 */
export function withoutResources(nquads: string, iris: ReadonlySet<string>): string {
  const lines = nquads.split('\n').flatMap(readLine)
  const isGone = new Set(Array.from(iris, (iri) => `<${iri}>`))
  const users = new Map<string, string[]>()
  const parts = new Map<string, string[]>()
  for (const { terms } of lines) {
    const [subject, , object] = terms
    if (isBlank(subject) && terms.some((term) => isGone.has(term))) isGone.add(subject)
    if (isBlank(subject) && isBlank(object)) {
      append(users, object, subject)
      append(parts, subject, object)
    }
  }
  spread(isGone, users)
  spread(isGone, parts)
  return lines.flatMap(({ text, terms }) => (terms.some((term) => isGone.has(term)) ? [] : [text])).join('\n')
}

function readLine(text: string): readonly Line[] {
  const [, subject, predicate, object] = STATEMENT.exec(text) ?? []
  if (subject === undefined || predicate === undefined || object === undefined) return []
  return [{ text, terms: [subject, predicate, object] }]
}

function isBlank(term: string): boolean {
  return term.startsWith('_:')
}

/** Adds blank nodes that are linked to those that are there. */
function spread(nodes: Set<string>, links: ReadonlyMap<string, readonly string[]>): void {
  // A Set visits what is added to it while it is walked.
  for (const node of nodes) for (const next of links.get(node) ?? []) nodes.add(next)
}
