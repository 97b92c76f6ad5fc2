import { Names } from '../../graph/names.ts'
import { serialise } from '../../graph/syntax/serialise.ts'
import { iri, text, type Iri, type Statement, type Term } from '../../graph/term.ts'
import { rdf, sh, xsd } from '../../graph/vocabulary.ts'
import type { CheckOutcome, CheckReport, Violation } from './check-report.ts'

/** Writes the results as a SHACL validation report in Turtle; queries count as constraints, as shapes do. */
export function writeCheckReport({ checks }: CheckReport, prefixes: Readonly<Record<string, string>>): string {
  const names = new Names(prefixes)
  const report = { type: 'bnode', value: 'report' } as const
  const violations = checks.flatMap((check) => check.violations.map((violation) => ({ check, violation })))
  const conforms: Term = {
    type: 'literal',
    value: String(violations.length === 0),
    datatype: xsd.boolean,
  }
  const statements: Statement[] = [
    { subject: report, predicate: iri(rdf.type), object: iri(sh.ValidationReport) },
    { subject: report, predicate: iri(sh.conforms), object: conforms },
  ]
  for (const [index, { check, violation }] of violations.entries()) {
    const subject = { type: 'bnode', value: `result${index}` } as const
    statements.push({ subject: report, predicate: iri(sh.result), object: subject })
    for (const [predicate, object] of factsOf(check, violation, names))
      statements.push({ subject, predicate: iri(predicate), object })
  }
  const prefixesWithShacl = { ...Object.fromEntries(names.prefixes), sh: sh.namespace }
  return [...serialise(statements, { syntax: 'turtle', prefixes: prefixesWithShacl })].join('')
}

function factsOf(
  { summary, shape, ...check }: CheckOutcome,
  { subject, detail, path, component = sh.SPARQLConstraintComponent, severity = check.severity }: Violation,
  names: Names,
): readonly (readonly [predicate: string, object: Term])[] {
  const message = shape === undefined ? [summary, detail] : [detail ?? summary]
  return [
    [rdf.type, iri(sh.ValidationResult)],
    [sh.focusNode, nodeOf(subject, names)],
    [sh.resultSeverity, iri(severity === 'error' ? sh.Violation : sh.Warning)],
    [sh.resultMessage, text(message.filter((part) => part !== undefined).join(' '))],
    [sh.sourceConstraintComponent, iri(component)],
    ...(path === undefined ? [] : ([[sh.resultPath, iri(path)]] as const)),
    ...(shape === undefined ? [] : ([[sh.sourceShape, nodeOf(shape, names)]] as const)),
  ]
}

/** A blank node becomes a text with its label, because the same label in another document is another node. */
function nodeOf(name: string, names: Names): Iri | Term {
  const whole = names.expand(name)
  return whole.includes(':') ? iri(whole) : text(name)
}
