import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Parser, Store, type Quad } from 'n3'
import Validator from 'rdf-validate-shacl'
import type { ValidationReport } from 'rdf-validate-shacl/src/validation-report.js'
import type { Names } from '../../graph/names.ts'
import { rdf, rdfs, sh } from '../../graph/vocabulary.ts'
import { append } from '../../platform/append.ts'
import { messageOf, Refusal } from '../../platform/errors.ts'
import type { CheckOutcome, Violation } from './check-report.ts'

/** The validator ignores these parts of SHACL silently: they are beyond its core. */
const BEYOND_CORE = ['sparql', 'js', 'rule', 'SPARQLTarget', 'JSTarget', 'SPARQLTargetType']

/** Shapes (SHACL) of a file or of the files of a folder, as one graph. */
export async function readShapes(path: string): Promise<Store> {
  const shapes = new Store()
  for (const [index, file] of (await filesAt(path)).entries())
    shapes.addQuads(parseShapes(file, await readFile(file, 'utf8'), index))
  if (shapes.size === 0) throw new Refusal('source_not_found', `--shapes ${path}: there are no shapes (*.ttl) in it.`)
  for (const name of BEYOND_CORE)
    if (shapes.getQuads(null, sh.namespace + name, null, null).length > 0 || isUsed(shapes, name))
      throw new Refusal(
        'parameter_invalid',
        `--shapes ${path}: sh:${name} is not evaluated. Write it as a query for --checks.`,
      )
  return shapes
}

function isUsed(shapes: Store, name: string): boolean {
  return shapes.getQuads(null, null, sh.namespace + name, null).length > 0
}

async function filesAt(path: string): Promise<readonly string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path]
    const names = (await readdir(path)).filter((name) => name.endsWith('.ttl'))
    return names.sort().map((name) => join(path, name))
  } catch (error) {
    throw new Refusal('source_not_found', `--shapes ${path}: ${messageOf(error)}.`)
  }
}

function parseShapes(file: string, text: string, index: number): Quad[] {
  try {
    return new Parser({ format: 'Turtle', blankNodePrefix: `_:f${index}-` }).parse(text)
  } catch (error) {
    throw new Refusal('source_syntax', `--shapes ${file}: ${messageOf(error)}.`)
  }
}

/** Validates a graph (canonical N-Quads) by shapes: each named shape is one check. */
export async function checkShapes(shapes: Store, graph: string, names: Names): Promise<readonly CheckOutcome[]> {
  const data = new Store(new Parser({ format: 'N-Quads' }).parse(graph))
  const { results } = await validate(shapes, data)
  const owners = ownersIn(shapes)
  const violationsByShape = new Map<string, Violation[]>()
  for (const result of results) {
    const shape = namedOwner(owners, result.sourceShape.value)
    append(violationsByShape, shape, violationOf(result, names))
  }
  return [...new Set([...namedShapes(shapes), ...violationsByShape.keys()])].map((shape) => {
    const violations = violationsByShape.get(shape) ?? []
    const isWarning = violations.length > 0 && violations.every((violation) => violation.severity === 'warning')
    const summary = shapes.getObjects(shape, rdfs.label, null)[0]?.value ?? ''
    return {
      name: names.compact(shape),
      summary,
      shape,
      violations,
      severity: isWarning ? 'warning' : 'error',
    }
  })
}

async function validate(shapes: Store, data: Store): Promise<ValidationReport> {
  try {
    return await new Validator(shapes).validate(data)
  } catch (error) {
    throw new Refusal('parameter_invalid', `The shapes cannot be used: ${messageOf(error)}`)
  }
}

function namedShapes(shapes: Store): readonly string[] {
  return [sh.NodeShape, sh.PropertyShape]
    .flatMap((kind) => shapes.getSubjects(rdf.type, kind, null))
    .flatMap(({ termType, value }) => (termType === 'NamedNode' ? [value] : []))
}

/** Finds the named shape that contains a shape: most property shapes have no names. */
function ownersIn(shapes: Store): ReadonlyMap<string, string> {
  const nameless = shapes.getQuads(null, sh.property, null, null)
  return new Map(
    nameless.flatMap(({ subject, object }) =>
      object.termType === 'BlankNode' ? [[object.value, subject.value] as const] : [],
    ),
  )
}

function namedOwner(owners: ReadonlyMap<string, string>, shape: string): string {
  const owner = owners.get(shape)
  return owner === undefined ? shape : namedOwner(owners, owner)
}

function violationOf(result: ValidationReport['results'][number], names: Names): Violation {
  const { focusNode, message, sourceConstraintComponent: component } = result
  const path = iriOf(result.path)
  const value = valueOf(result.value)
  const messages = [
    ...(path === null ? [] : [`${names.compact(path)}:`]),
    message.map((text) => text.value).join(' ') || names.compact(component.value),
    ...(value === null ? [] : [`(${names.compact(value)})`]),
  ]
  return {
    subject: names.compact(focusNode.value),
    detail: messages.join(' '),
    component: component.value,
    severity: result.severity.value === sh.Violation ? 'error' : 'warning',
    ...(path !== null && { path }),
  }
}

/** The library has null where its types have a term. */
type MaybeTerm = { readonly termType: string; readonly value: string } | null | undefined

function valueOf(term: MaybeTerm): string | null {
  return term?.value ?? null
}

function iriOf(term: MaybeTerm): string | null {
  return term?.termType === 'NamedNode' ? term.value : null
}
