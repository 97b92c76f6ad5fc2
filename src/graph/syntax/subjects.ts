import { compareCodeUnits, type Statement, type Term } from '../term.ts'

/** A subject with the statements about it that follow each other. */
export interface Subject {
  readonly node: Statement['subject']
  readonly statements: readonly Statement[]
}

/** Sorts statements by subject and property, without duplicates. */
export function ordered(statements: Iterable<Statement>): readonly Statement[] {
  const byKey = new Map(Array.from(statements, (statement) => [keyOf(statement), statement]))
  const sorted = [...byKey].sort(([a], [b]) => compareCodeUnits(a, b))
  return sorted.map(([, statement]) => statement)
}

/** Groups statements that are sorted by subject. */
export function* subjectsOf(statements: Iterable<Statement>): Generator<Subject> {
  let pending: Statement[] = []
  for (const statement of statements) {
    const [first] = pending
    if (first !== undefined && idOf(first.subject) !== idOf(statement.subject)) {
      yield { node: first.subject, statements: pending }
      pending = []
    }
    pending.push(statement)
  }
  const [first] = pending
  if (first !== undefined) yield { node: first.subject, statements: pending }
}

/** An IRI as it is; a blank node with its label. */
export function idOf({ type, value }: Term): string {
  return type === 'bnode' ? `_:${value}` : value
}

function keyOf({ subject, predicate, object }: Statement): string {
  return [idOf(subject), predicate.value, objectKey(object)].join('\u0000')
}

function objectKey(term: Term): string {
  if (term.type !== 'literal') return `0${idOf(term)}`
  return ['1', term.value, term.datatype ?? '', term['xml:lang'] ?? ''].join('\u0000')
}
