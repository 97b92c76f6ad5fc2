import { serialiseOrdered } from '../../../graph/syntax/serialise.ts'
import { type Syntax, SYNTAXES, type SyntaxName } from '../../../graph/syntax/syntaxes.ts'
import { d3f, ONTOLOGY_NAME, rdfs } from '../../../graph/vocabulary.ts'
import { csvLines } from '../../../platform/csv/csv.ts'
import { getOrMake } from '../../../platform/get-or-make.ts'
import type { Release } from '../../release/release.ts'
import { JSON_FORMAT } from '../json.ts'
import { CSV_FORMAT } from '../mapping/csv.ts'
import { fullMappingsCsv, fullMappingsJson } from '../mapping/mapping.ts'
import { subtechniques, tacticsInOrder } from '../matrix/matrix.ts'
import { techniquesEnabling } from '../tactic/tactic.ts'
import type { DocumentView } from '../view.ts'
import { allStatements, canonicalPieces, prefixesOf } from './statements.ts'

/** The columns of D3FEND's table. Techniques at deeper levels are in the last one. */
const LEVELS = ['D3FEND Technique', 'D3FEND Technique Level 0', 'D3FEND Technique Level 1'] as const

interface MatrixPosition {
  readonly tactic: string
  /** From the top of the matrix down to the technique itself. */
  readonly path: readonly string[]
}

/** Folder of the active release's files. */
export const CURRENT_FILES = '/ontologies/current/'

/** A file with a whole release. */
interface FileKind {
  readonly extension: string
  readonly mediaType: string
  readonly label: string
  readonly pieces: (release: Release) => Iterable<string>
}

const { turtle, nTriples, nQuads, rdfXml, jsonLd } = SYNTAXES

/** Each syntax, other names of D3FEND for the same files, and D3FEND's table of techniques. */
const KINDS: readonly FileKind[] = [
  kindOf(turtle, writeSyntax('turtle')),
  // One sorted statement a line and no named graphs: the canonical form is both.
  kindOf(nTriples, canonicalPieces),
  kindOf(nQuads, canonicalPieces),
  kindOf(rdfXml, writeSyntax('rdfXml')),
  { ...kindOf(rdfXml, writeSyntax('rdfXml')), extension: 'owl' },
  kindOf(jsonLd, writeSyntax('jsonLd')),
  { ...kindOf(jsonLd, writeSyntax('jsonLd')), extension: 'json', mediaType: JSON_FORMAT.mediaType },
  {
    extension: 'csv',
    mediaType: CSV_FORMAT.mediaType,
    label: 'CSV, only the techniques of the matrix',
    pieces: techniqueListPieces,
  },
]

/** The full mappings beside the files of a release, where D3FEND publishes them. */
const MAPPINGS = [
  { same: fullMappingsCsv, name: 'd3fend-full-mappings.csv', operation: 'MappingsFileCsv' },
  { same: fullMappingsJson, name: 'd3fend-full-mappings.json', operation: 'MappingsFile' },
] as const

const MAPPING_FILES = [CURRENT_FILES, '/ontologies/'].flatMap((folder) =>
  MAPPINGS.map(({ same, name, operation }) => ({ same, view: mappingFile(same, { folder, name, operation }) })),
)

/** The files of the active release, then the same files under the names that the site of D3FEND links to. */
export const FILES: readonly DocumentView[] = [
  ...KINDS.map((kind) => viewOf(CURRENT_FILES, kind)),
  ...KINDS.map((kind) => viewOf('/ontologies/', kind)),
  ...MAPPING_FILES.map(({ view }) => view),
]

/** Paths of files, with the path of the file with the same content. */
export const FILE_ALIASES: ReadonlyMap<string, string> = new Map([
  ...KINDS.map(({ extension }) => {
    const same = extension === 'owl' ? rdfXml.extension : extension
    return [pathOf('/ontologies/', extension), pathOf(CURRENT_FILES, same)] as const
  }),
  [pathOf(CURRENT_FILES, 'owl'), pathOf(CURRENT_FILES, rdfXml.extension)],
  ...MAPPING_FILES.map(({ same, view }) => [view.path, same.path] as const),
])

/** Names of the files of a release. */
export const FILE_NAMES: readonly string[] = [
  ...KINDS.map(({ extension }) => pathOf('', extension)),
  ...MAPPINGS.map(({ name }) => name),
]

const rdfXmlReleases = new WeakMap<Release, boolean>()

/** Whether a file can be written for a release. RDF/XML cannot express every release, which only shows while writing. */
export function canBeWritten(release: Release, view: DocumentView): boolean {
  if (!view.format.mediaType.startsWith(rdfXml.mediaType)) return true
  return getOrMake(rdfXmlReleases, release, () => isRdfXml(release))
}

function isRdfXml(release: Release): boolean {
  try {
    let length = 0
    for (const piece of writeSyntax('rdfXml')(release)) length += piece.length
    return length > 0
  } catch {
    return false
  }
}

function mappingFile(
  same: DocumentView,
  { folder, name, operation }: { readonly folder: string; readonly name: string; readonly operation: string },
): DocumentView {
  return {
    ...same,
    path: folder + name,
    operation: `get${folder === CURRENT_FILES ? '' : 'Named'}${operation}`,
    summary: `${same.summary}, beside the files of the release`,
    responseType: 'File',
  }
}

function pathOf(folder: string, extension: string): string {
  return `${folder}${ONTOLOGY_NAME}.${extension}`
}

function kindOf({ extension, contentType, label }: Syntax, pieces: FileKind['pieces']): FileKind {
  return { extension, mediaType: contentType, label, pieces }
}

function writeSyntax(syntax: SyntaxName): FileKind['pieces'] {
  return (release) => serialiseOrdered(allStatements(release), { syntax, prefixes: prefixesOf(release) })
}

function viewOf(folder: string, { extension, mediaType, label, pieces }: FileKind): DocumentView {
  const isCurrent = folder === CURRENT_FILES
  const name = extension.replace(/^./, (letter) => letter.toUpperCase())
  return {
    kind: 'document',
    path: pathOf(folder, extension),
    operation: isCurrent ? `getOntology${name}` : `getNamedOntology${name}`,
    summary: isCurrent ? `The whole ontology: ${label}` : `The same under the name of D3FEND: ${label}`,
    responseType: 'File',
    format: { mediaType, write: asPieces },
    answer: (release) => Promise.resolve(pieces(release)),
  }
}

/** The pieces of `answer` are text already. */
function asPieces(answer: unknown): Iterable<string> {
  if (isPieces(answer)) return answer
  throw new Error('A file comes in pieces')
}

function isPieces(answer: unknown): answer is Iterable<string> {
  return typeof answer === 'object' && answer !== null && Symbol.iterator in answer
}

/** The techniques of the matrix as a table, each below its parent. */
function* techniqueListPieces(release: Release): Generator<string> {
  yield csvLines([['ID', 'D3FEND Tactic', ...LEVELS, 'Definition']])
  for (const tactic of tacticsInOrder(release)) {
    for (const top of techniquesEnabling(release, tactic)) yield* techniqueLines(release, { tactic, path: [top] })
  }
}

function* techniqueLines(release: Release, { tactic, path }: MatrixPosition): Generator<string> {
  const technique = path.at(-1) ?? ''
  const first = (property: string): string => release.summaries.values(technique, property)[0]?.value ?? ''
  const level = Math.min(path.length, LEVELS.length) - 1
  const names = LEVELS.map((_, index) => (index === level ? first(rdfs.label) : ''))
  yield csvLines([
    [first(d3f.d3fendId), release.names.compact(tactic).replace(/^[^:]*:/, ''), ...names, first(d3f.definition)],
  ])
  for (const child of subtechniques(release, technique)) {
    if (!path.includes(child)) yield* techniqueLines(release, { tactic, path: [...path, child] })
  }
}
