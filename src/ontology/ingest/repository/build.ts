import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { SaxesParser } from 'saxes'
import { readQuery } from '../../../graph/query.ts'
import { EmbeddedGraph } from '../../../graph/store.ts'
import { append } from '../../../platform/append.ts'
import { Refusal } from '../../../platform/errors.ts'
import { parseDocument } from '../parse.ts'
import type { ReadLimits, SourceDocument } from '../read.ts'
import { CCI_SHEET, cciStatements, missingSheet, NIST_SHEET, nistStatements, type TechniquesById } from './controls.ts'
import { RepositoryFiles, ROOT_SOURCE } from './files.ts'
import { readMakefile, type StatedIdentity } from './makefile.ts'
import { type ReadSheets, readTable } from './table.ts'

/** N-Quads of the default graph: subject, predicate and object as they are written. */
const STATEMENT = /^(<[^>]*>|_:\S+) (<[^>]*>) (.*) \.$/s

const IMPORTS = readQuery(new URL('./imports.rq', import.meta.url), ['ontology'], ['imported'])
const UNPUBLISHED = readQuery(new URL('./unpublished.rq', import.meta.url), ['subject'])
const TECHNIQUES = readQuery(new URL('./techniques.rq', import.meta.url), ['technique', 'id'])
const LINKS = readFileSync(new URL('./links.ru', import.meta.url), 'utf8')
const TRIM = readFileSync(new URL('./trim.ru', import.meta.url), 'utf8')
const MERGED = readFileSync(new URL('./imports.ru', import.meta.url), 'utf8')

/** The repository will never have this many parts. A cycle of imports ends by itself. */
const MAX_PARTS = 200

/** The ontology that the authors' sources make. */
export interface BuiltOntology extends StatedIdentity {
  /** N-Quads; restrictions are not yet stated directly. */
  readonly nquads: string
  readonly prefixes: ReadonlyMap<string, string>
  readonly documents: readonly SourceDocument[]
}

export interface BuildOptions extends ReadLimits {
  /** Reads spreadsheets; without it, a repository that has some is refused. */
  readonly readSheets?: ReadSheets
}

/**
 * Builds the public ontology from a checkout of D3FEND's source repository, like its Makefile: merges the parts, cleans
 * links and texts, leaves out unpublished subjects, and adds the mappings of CCIs and NIST controls from spreadsheets.
 */
export async function buildRepository(folder: string, options: BuildOptions): Promise<BuiltOntology> {
  const files = new RepositoryFiles(folder, options)
  const makefile = await files.read('Makefile')
  const graph = new EmbeddedGraph()
  const prefixes = await loadParts(graph, files)
  for (const update of [LINKS, TRIM]) graph.update(update)
  const unpublished = new Set((await graph.select(UNPUBLISHED)).map(({ subject }) => subject.value))
  const ontology = withoutResources(graph.dump(), unpublished)
  const techniques = await techniquesById(graph, unpublished)
  const controls = [
    ...(await sheetStatements(files, options, { ...NIST_SHEET, techniques, statements: nistStatements })),
    ...(await sheetStatements(files, options, { ...CCI_SHEET, techniques, statements: cciStatements })),
  ]
  return {
    ...readMakefile(new TextDecoder().decode(makefile?.content)),
    nquads: [ontology, ...controls].join('\n'),
    prefixes,
    documents: files.documents,
  }
}

/** Loads the root and its imports, each part once, using the catalog in the same folder. */
async function loadParts(graph: EmbeddedGraph, files: RepositoryFiles): Promise<ReadonlyMap<string, string>> {
  const prefixes = new Map<string, string>()
  const parts = new Set([ROOT_SOURCE])
  for (const part of parts) {
    if (parts.size > MAX_PARTS)
      throw new Refusal('source_too_large', `${files.folder} has more than ${MAX_PARTS} parts.`)
    const document = await files.read(part)
    if (document === null) throw new Refusal('source_not_found', `${files.folder} has no ${part}.`)
    for (const [prefix, namespace] of parseDocument(graph, document, 'ttl')) prefixes.set(prefix, namespace)
    for (const imported of await importedParts(graph, files)) parts.add(imported)
  }
  graph.update(MERGED)
  return prefixes
}

async function importedParts(graph: EmbeddedGraph, files: RepositoryFiles): Promise<readonly string[]> {
  const rows = await graph.select(IMPORTS)
  const imported = new Set(rows.flatMap((row) => row.imported?.value ?? []))
  if (imported.size === 0) return []
  const folder = posix.dirname(ROOT_SOURCE)
  const path = `${folder}/catalog-v001.xml`
  const catalog = await files.read(path)
  const earlierIds =
    catalog === null ? new Map<string, string>() : readCatalog(path, new TextDecoder().decode(catalog.content))
  return Array.from(imported, (iri) => {
    const file = earlierIds.get(iri)
    if (file === undefined)
      throw new Refusal('source_not_found', `${path}: no file is named for ${iri}, which is imported.`)
    return posix.join(folder, file)
  })
}

async function techniquesById(graph: EmbeddedGraph, unpublished: ReadonlySet<string>): Promise<TechniquesById> {
  const rows = (await graph.select(TECHNIQUES)).filter(({ technique }) => !unpublished.has(technique.value))
  return new Map(rows.map(({ technique, id }) => [id.value, technique.value]))
}

interface SheetMapping {
  readonly path: string
  readonly sheet: string
  readonly columns: readonly string[]
  readonly techniques: TechniquesById
  readonly statements: typeof cciStatements
}

/** Reads the statements of a spreadsheet; none if the repository does not have it, as before it mapped controls. */
async function sheetStatements(
  files: RepositoryFiles,
  { readSheets }: BuildOptions,
  { path, sheet, columns, techniques, statements }: SheetMapping,
): Promise<readonly string[]> {
  const file = await files.pathOf(path)
  if (file === null) return []
  await files.read(path)
  if (readSheets === undefined) throw new Refusal('source_syntax', `${path}: spreadsheets cannot be read here.`)
  for await (const table of readSheets(file))
    if (table.sheet === sheet) return [...statements(readTable(path, table, columns), techniques)]
  throw missingSheet(path, sheet)
}

/** Reads an OASIS XML catalog: the file of each imported ontology, relative to the catalog, by IRI. */
function readCatalog(file: string, text: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>()
  const parser = new SaxesParser()
  const refuse = (reason: string): Refusal =>
    new Refusal('source_syntax', `${file}, line ${parser.line}, column ${parser.column + 1}: ${reason}.`)
  parser.on('doctype', () => {
    throw refuse('a document type declaration (DTD) is not accepted')
  })
  parser.on('error', (error) => {
    throw refuse(error.message.replace(/^\d+:\d+: /, ''))
  })
  parser.on('opentag', ({ name, attributes }) => {
    if (name !== 'uri') return
    const { name: iri, uri } = attributes
    if (typeof iri !== 'string' || typeof uri !== 'string') throw refuse('an entry needs name and uri')
    if (/^[a-z]+:|^\//i.test(uri)) throw refuse(`${uri} is not a file beside the catalog`)
    files.set(iri, decodeURI(uri))
  })
  parser.write(text).close()
  return files
}

/**
 * Removes every statement with one of the IRIs, and all statements of blank nodes that are linked to one: an axiom
 * about an unpublished subject is not published either.
 */
function withoutResources(nquads: string, iris: ReadonlySet<string>): string {
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
