import { SaxesParser } from 'saxes'
import { hasCode, messageOf, Refusal } from '../../../../platform/errors.ts'
import { groupDigits, MAX_ATTRIBUTES, MAX_PART_LENGTH } from '../../../catalogue/files/limits.ts'
import { OpenPart } from '../../../catalogue/files/open-part.ts'
import { shortenWords } from '../../../catalogue/files/xml.ts'
import type { ZipMember } from '../../../catalogue/files/zip.ts'
import { unusable } from './refusals.ts'
import { tooMany } from './row.ts'

/** Receives the elements and texts of one part of a workbook. Names have no namespace prefix. */
export interface PartHandler {
  open(name: string, attributes: Readonly<Record<string, string>>): void
  text(text: string): void
  close(name: string): void
}

/**
 * Parses one part of a workbook while it is unpacked. The parser of benchmarks would be too slow: a sheet has
 * millions of elements, and their namespaces are not needed.
 */
export async function parsePart(
  member: ZipMember,
  bytes: AsyncIterable<Uint8Array>,
  handler: PartHandler,
): Promise<void> {
  const part = new OpenPart()
  const parser = parserFor(handler, part)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of bytes) {
      const piece = decoder.decode(chunk, { stream: true })
      parser.write(piece)
      if (part.grow(piece) !== null) throw tooLong(member)
    }
    parser.write(decoder.decode())
    parser.close()
  } catch (error) {
    if (hasCode(error, 'ERR_ENCODING_INVALID_ENCODED_DATA'))
      throw unusable(`The spreadsheet is damaged: ${shortenWords(member.name)} is not in UTF-8.`)
    if (!isFault(error)) throw error
    const fault = `${shortenWords(member.name)} is not well-formed (${shortenWords(messageOf(error))})`
    throw unusable(`The spreadsheet is damaged: ${fault}.`)
  }
}

function tooLong({ name }: ZipMember): Refusal {
  const limit = `the limit of ${groupDigits(MAX_PART_LENGTH)} characters`
  return new Refusal('too_large', `A part of ${shortenWords(name)} is longer than ${limit}.`)
}

/** At most six listeners, see `parseXml`. */
function parserFor(handler: PartHandler, part: OpenPart): SaxesParser {
  let attributes = 0
  const parser = new SaxesParser({
    xmlns: false,
    position: false,
    // XML 1.1 would allow characters that cannot be stored.
    forceXMLVersion: true,
    defaultXMLVersion: '1.0',
  })
  parser.on('doctype', () => {
    throw unusable('The spreadsheet is damaged: document type declarations are not allowed in it.')
  })
  parser.on('attribute', () => {
    attributes += 1
    if (attributes > MAX_ATTRIBUTES) throw tooMany('attributes of one element', MAX_ATTRIBUTES)
  })
  parser.on('opentag', (tag) => {
    part.end(parser.position)
    attributes = 0
    handler.open(localName(tag.name), tag.attributes)
  })
  parser.on('closetag', (tag) => {
    part.end(parser.position)
    handler.close(localName(tag.name))
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

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** Errors of the parser have neither a code nor their own name. */
function isFault(error: unknown): boolean {
  return error instanceof Error && error.constructor === Error && !('code' in error)
}
