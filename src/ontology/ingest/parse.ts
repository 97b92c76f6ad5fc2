import { isUtf8 } from 'node:buffer'
import { SaxesParser } from 'saxes'
import type { EmbeddedGraph } from '../../graph/store.ts'
import { ONTOLOGY_IRI } from '../../graph/vocabulary.ts'
import { messageOf, Refusal } from '../../platform/errors.ts'
import { detectMediaType } from './format.ts'
import type { SourceDocument } from './read.ts'

const DECLARATIONS = [
  // Turtle and TriG, both spellings.
  /^[ \t]*(?:@prefix|PREFIX)[ \t]+([\w.-]*):[ \t]*<([^>\s]+)>/gim,
  // RDF/XML namespaces and JSON-LD context entries.
  /\bxmlns:([\w.-]+)="([^"]+)"/g,
  /"([\w.-]+)"\s*:\s*"([a-z][a-z0-9+.-]*:[^"\s]*[#/:])"/gi,
]

/** A position in a source; lines and columns count from 1. */
interface SourcePosition {
  readonly line: number
  readonly column: number
}

/**
 * Adds a document to the graph, all of it or nothing, and returns the prefixes it declares. Refuses malformed documents,
 * naming source, line and column.
 */
export function parseDocument(
  graph: EmbeddedGraph,
  document: SourceDocument,
  format: string | undefined,
): ReadonlyMap<string, string> {
  const { name } = document
  const content = withoutByteOrderMark(document.content)
  const mediaType = detectMediaType(content, { ...document, format })
  if (!isUtf8(content)) throw refuse(name, 'not UTF-8', firstOddLine(content))
  if (mediaType === 'application/rdf+xml') checkXml(name, content)
  try {
    graph.loadAsWritten(content, mediaType, /^https?:/i.test(name) ? name : ONTOLOGY_IRI)
  } catch (error) {
    throw refuseParse(name, messageOf(error))
  }
  return declaredPrefixes(new TextDecoder().decode(content))
}

function withoutByteOrderMark(content: Uint8Array): Uint8Array {
  const marked = content[0] === 0xef && content[1] === 0xbb && content[2] === 0xbf
  return marked ? content.subarray(3) : content
}

/**
 * The RDF parser accepts a document that breaks off in the middle and expands entities, so
 * well-formedness is checked first, and a DTD is refused before anything in it is read.
 */
function checkXml(name: string, content: Uint8Array): void {
  const parser = new SaxesParser()
  const currentPosition = (): SourcePosition => ({ line: parser.line, column: parser.column + 1 })
  parser.on('doctype', () => {
    throw refuse(name, 'a document type declaration (DTD) is not accepted', currentPosition())
  })
  parser.on('error', (error) => {
    throw refuse(name, error.message.replace(/^\d+:\d+: /, ''), currentPosition())
  })
  parser.write(new TextDecoder().decode(content)).close()
}

function refuseParse(name: string, message: string): Refusal {
  const located = /^Parser error at line (\d+)(?: between columns? | column )(\d+)[^:]*: (.*)$/s.exec(message)
  if (located !== null) {
    const [, line, column, reason] = located
    return refuse(name, reason ?? message, { line: Number(line), column: Number(column) })
  }
  if (message.includes('LoadDocumentCallback')) {
    return refuse(name, 'a remote JSON-LD context is not fetched; put the context into the file')
  }
  return refuse(name, message)
}

function refuse(source: string, reason: string, position?: SourcePosition): Refusal {
  const where = position === undefined ? '' : `, line ${position.line}, column ${position.column}`
  return new Refusal('source_syntax', `${source}${where}: ${reason.replace(/\.$/, '')}.`, {
    source,
    ...position,
  })
}

function firstOddLine(content: Uint8Array): SourcePosition {
  let line = 1
  let start = 0
  for (;;) {
    const end = content.indexOf(0x0a, start)
    if (end === -1 || !isUtf8(content.subarray(start, end))) return { line, column: 1 }
    line += 1
    start = end + 1
  }
}

/**
 * The namespace prefixes that a document declares, first declaration first. They only shorten names, so
 * finding them by a pattern is good enough: one too many does no harm.
 */
export function declaredPrefixes(document: string): ReadonlyMap<string, string> {
  const prefixes = new Map<string, string>()
  for (const declaration of DECLARATIONS) {
    for (const [, prefix, namespace] of document.matchAll(declaration)) {
      if (prefix === undefined || prefix === '' || namespace === undefined) continue
      if (!prefixes.has(prefix)) prefixes.set(prefix, namespace)
    }
  }
  return prefixes
}
