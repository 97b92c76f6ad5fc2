import { SaxesParser, type SaxesTagNS } from 'saxes'
import { Refusal } from '../../../platform/errors.ts'
import {
  groupDigits,
  MAX_ATTRIBUTE_LENGTH,
  MAX_ATTRIBUTES,
  MAX_DEPTH,
  MAX_ELEMENTS,
  MAX_PART_LENGTH,
} from './limits.ts'
import { OpenPart, type LongPart } from './open-part.ts'

/** How many characters of a document a message quotes. */
const MAX_QUOTED = 200

export interface XmlName {
  /** The namespace; empty without one. */
  readonly uri: string
  readonly local: string
}

export interface XmlElement extends XmlName {
  /** The line where its start tag ends, from 1. */
  readonly line: number
  /** Values by name; the name in a namespace is `{namespace}name`. */
  readonly attributes: ReadonlyMap<string, string>
}

export interface XmlHandler {
  open(element: XmlElement): void
  /** A piece of text, also from a CDATA section. */
  text(text: string): void
  close(): void
}

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map()
const XMLNS = 'http://www.w3.org/2000/xmlns/'

/**
 * Parses an XML 1.0 document with namespaces, in pieces of any size, and calls the handler for each part in order. A
 * fault may be found only at the end, so results must not be used before this returns. Refuses `xml_not_well_formed`
 * (with line and column), `dtd_not_allowed`, `xml_too_deep`, `field_too_long` (an attribute) and `too_large` (elements,
 * attributes, any single part). Errors that the handler throws are passed on.
 */
export function parseXml(pieces: Iterable<string>, handler: XmlHandler): void {
  const part = new OpenPart()
  const parser = strictParser(handler, part)
  try {
    for (const piece of pieces) {
      parser.write(piece)
      const fault = part.grow(piece)
      if (fault !== null) throw partTooLong(fault, parser.line)
    }
    parser.close()
  } catch (error) {
    throw isFault(error) ? notWellFormed(error) : error
  }
}

/** Returns the root element of a document that may be incomplete; null if it cannot be read. */
export function findRoot(text: string): XmlName | null {
  const rootFound = new RootElementFound()
  try {
    const open = (element: XmlElement): void => {
      rootFound.root = element
      throw rootFound
    }
    parseXml([text], { open, text: () => undefined, close: () => undefined })
  } catch (error) {
    if (error !== rootFound && !(error instanceof Refusal)) throw error
  }
  return rootFound.root
}

/** Thrown to stop reading at the root. */
class RootElementFound extends Error {
  root: XmlName | null = null
}

/**
 * Throws at the first fault. Has six listeners, which is the maximum: with a seventh, V8 turns the parser into a
 * dictionary, and reading takes five times as long.
 */
function strictParser(handler: XmlHandler, part: OpenPart): SaxesParser<{ xmlns: true }> {
  const parser = new SaxesParser({ xmlns: true, position: true, forceXMLVersion: true, defaultXMLVersion: '1.0' })
  const counts = { depth: 0, elements: 0, attributes: 0 }
  parser.on('doctype', () => {
    const line = `(line ${parser.line})`
    throw new Refusal('dtd_not_allowed', `DOCTYPE / entity declarations are not allowed ${line}.`)
  })
  // Checked before the tag is complete, so that too many attributes are never in memory.
  parser.on('attribute', () => {
    counts.attributes += 1
    if (counts.attributes > MAX_ATTRIBUTES) throw tooMany('attributes', MAX_ATTRIBUTES, parser.line)
  })
  parser.on('opentag', (tag) => {
    part.end(parser.position)
    counts.attributes = 0
    counts.depth += 1
    counts.elements += 1
    if (counts.depth > MAX_DEPTH) throw tooDeep(parser.line)
    if (counts.elements > MAX_ELEMENTS) throw tooMany('elements', MAX_ELEMENTS, parser.line)
    handler.open(toElement(tag, parser.line))
  })
  parser.on('closetag', () => {
    part.end(parser.position)
    counts.depth -= 1
    handler.close()
  })
  parser.on('text', (text) => {
    part.end(parser.position)
    handler.text(text)
  })
  parser.on('cdata', (text) => {
    part.end(parser.position)
    handler.text(text)
  })
  return parser
}

function toElement(tag: SaxesTagNS, line: number): XmlElement {
  let attributes: Map<string, string> | undefined
  for (const { name, uri, local, value } of Object.values(tag.attributes)) {
    if (uri === XMLNS) continue
    if (value.length > MAX_ATTRIBUTE_LENGTH) throw attributeTooLong(tag.name, name, line)
    attributes ??= new Map()
    attributes.set(uri === '' ? local : `{${uri}}${local}`, value)
  }
  return { uri: tag.uri, local: tag.local, line, attributes: attributes ?? NO_ATTRIBUTES }
}

/** Errors of the parser begin with line and column; errors of listeners do not. */
const POSITION_PREFIX = /^(\d+):(\d+): /

function isFault(error: unknown): error is Error {
  return error instanceof Error && POSITION_PREFIX.test(error.message)
}

/** Plain messages for the errors of the parser. */
const PLAIN_MESSAGES: readonly (readonly [RegExp, string])[] = [
  [/^disallowed character\b/, 'invalid character'],
  [/^unclosed tag: (.*)$/s, 'unexpected end of file, the element $1 is not closed'],
  [/^unexpected end$/, 'unexpected end of file'],
  [/^document must contain a root element$/, 'unexpected end of file, there is no element'],
  [/^unmatched closing tag: (.*)$/s, 'the end tag $1 has no start tag'],
  [/^unexpected close tag$/, 'an end tag does not match the start tag before it'],
  [/^text data outside of root node$/, 'text outside of the root element'],
  [/^documents may contain only one root$/, 'a second root element'],
  [/^undefined entity$/, 'an entity that is not defined'],
  [/^malformed character entity$/, 'a malformed character reference'],
]

function notWellFormed({ message }: Error): Refusal {
  const [prefix = '', line = '', column = ''] = POSITION_PREFIX.exec(message) ?? []
  let reason = message.slice(prefix.length).replace(/\.$/, '')
  for (const [pattern, words] of PLAIN_MESSAGES) reason = reason.replace(pattern, words)
  const detail = `line ${line}, column ${column}: ${shortenWords(reason)}`
  return new Refusal('xml_not_well_formed', `The XML is not well-formed at ${detail}.`)
}

function tooDeep(line: number): Refusal {
  const limit = `the limit of ${MAX_DEPTH} levels`
  return new Refusal('xml_too_deep', `Nesting deeper than ${limit} (line ${line}).`)
}

function tooMany(parts: string, limit: number, line: number): Refusal {
  return new Refusal('too_large', `More ${parts} than the limit of ${groupDigits(limit)} (line ${line}).`)
}

function attributeTooLong(element: string, attribute: string, line: number): Refusal {
  const field = `${shortenWords(element)} ${shortenWords(attribute)}`
  const limit = `${groupDigits(MAX_ATTRIBUTE_LENGTH)} characters`
  return new Refusal('field_too_long', `${field} is longer than the limit of ${limit} (line ${line}).`)
}

function partTooLong({ kind, element, attribute }: LongPart, line: number): Refusal {
  if (attribute !== null) return attributeTooLong(element, attribute, line)
  const code = kind === 'text' || kind === 'tag' ? 'field_too_long' : 'too_large'
  const description = kind === 'tag' ? `The tag of ${shortenWords(element)}` : `A ${kind}`
  const limit = `the limit of ${groupDigits(MAX_PART_LENGTH)} characters`
  return new Refusal(code, `${description} is longer than ${limit} (line ${line}).`)
}

/** Shortens a quotation for a message, and removes characters that could hide the rest. */
export function shortenWords(words: string): string {
  const visible = words.slice(0, MAX_QUOTED).replace(/\p{C}/gu, ' ')
  return words.length > MAX_QUOTED ? `${visible}…` : visible
}
