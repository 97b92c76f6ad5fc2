import { DataFactory, Parser, Writer, type Literal, type Quad } from 'n3'
import { iri, type Statement, type Term } from '../term.ts'
import { xsd } from '../vocabulary.ts'
import type { Prefixes } from './prefixes.ts'

/** Number of statements that are passed on together. */
const BATCH_SIZE = 500

/** Writes statements as Turtle. They are grouped by subject, so that each subject has one block. */
export function turtlePieces(statements: Iterable<Statement>, prefixes: Prefixes): Generator<string> {
  return pieces(statements, { prefixes: { ...prefixes } })
}

/** Statements as canonical N-Triples, which also are N-Quads of the default graph. */
export function nTriplesPieces(statements: Iterable<Statement>): Generator<string> {
  return pieces(statements, { format: 'N-Triples' })
}

function* pieces(statements: Iterable<Statement>, options: ConstructorParameters<typeof Writer>[1]): Generator<string> {
  const written: string[] = []
  const writer = new Writer({ write: (text: string) => written.push(text) }, { ...options, end: false })
  let pending = 0
  for (const { subject, predicate, object } of statements) {
    writer.addQuad(toNode(subject), DataFactory.namedNode(predicate.value), toTerm(object), undefined, rethrow)
    pending = (pending + 1) % BATCH_SIZE
    if (pending === 0) yield written.splice(0).join('')
  }
  writer.end()
  yield written.splice(0).join('')
}

/** The library calls it with an error, if there is one. */
function rethrow(error?: unknown): void {
  if (error !== undefined) throw new Error('A statement cannot be written', { cause: error })
}

function toNode({ type, value }: Statement['subject']): Quad['subject'] {
  return type === 'bnode' ? DataFactory.blankNode(value) : DataFactory.namedNode(value)
}

function toTerm(term: Term): Quad['object'] {
  if (term.type !== 'literal') return toNode(term)
  const { value, datatype, 'xml:lang': language } = term
  return DataFactory.literal(value, language ?? DataFactory.namedNode(datatype ?? xsd.string))
}

/** Reads whole lines of N-Triples, keeping the labels of blank nodes. */
export function readNTriples(text: string): readonly Statement[] {
  const parser = new Parser({ format: 'N-Triples', blankNodePrefix: '_:' })
  return parser.parse(text).map(({ subject, predicate, object }) => ({
    subject: fromNode(subject),
    predicate: iri(predicate.value),
    object: object.termType === 'Literal' ? fromLiteral(object) : fromNode(object),
  }))
}

function fromNode({ termType, value }: Quad['subject'] | Quad['object']): Statement['subject'] {
  if (termType === 'BlankNode') return { type: 'bnode', value }
  if (termType === 'NamedNode') return iri(value)
  throw new Error(`A ${termType} cannot be published`)
}

function fromLiteral({ value, language, datatype }: Literal): Term {
  if (language !== '') return { type: 'literal', value, 'xml:lang': language }
  if (datatype.value === xsd.string) return { type: 'literal', value }
  return { type: 'literal', value, datatype: datatype.value }
}
