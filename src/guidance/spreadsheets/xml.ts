import { SaxesParser } from 'saxes'
import { hasCode, messageOf } from '../../platform/errors.ts'
import { shortened } from '../xccdf/xml.ts'
import type { ZipMember } from '../xccdf/zip.ts'
import { unusable } from './refusals.ts'

/** What is told of one part of a workbook; names come without their namespace prefix. */
export interface PartHandler {
  open(name: string, attributes: Readonly<Record<string, string>>): void
  text(text: string): void
  close(name: string): void
}

/**
 * Reads one part of a workbook as it is unpacked. The parser of benchmarks is not used here: a sheet
 * has millions of elements, whose namespaces nobody needs.
 */
export async function parsePart(
  member: ZipMember,
  bytes: AsyncIterable<Uint8Array>,
  handler: PartHandler,
): Promise<void> {
  const parser = parserFor(handler)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of bytes) parser.write(decoder.decode(chunk, { stream: true }))
    parser.write(decoder.decode())
    parser.close()
  } catch (error) {
    if (hasCode(error, 'ERR_ENCODING_INVALID_ENCODED_DATA'))
      throw unusable(`The spreadsheet is damaged: ${shortened(member.name)} is not in UTF-8.`)
    if (!isFault(error)) throw error
    const fault = `${shortened(member.name)} is not well-formed (${shortened(messageOf(error))})`
    throw unusable(`The spreadsheet is damaged: ${fault}.`)
  }
}

function parserFor(handler: PartHandler): SaxesParser {
  const parser = new SaxesParser({ xmlns: false, position: false })
  parser.on('doctype', () => {
    throw unusable('The spreadsheet is damaged: document type declarations are not allowed in it.')
  })
  parser.on('opentag', (tag) => {
    handler.open(localName(tag.name), tag.attributes)
  })
  parser.on('closetag', (tag) => {
    handler.close(localName(tag.name))
  })
  parser.on('text', (text) => {
    handler.text(text)
  })
  parser.on('cdata', (text) => {
    handler.text(text)
  })
  return parser
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** What the parser throws has neither a code nor a name of its own. */
function isFault(error: unknown): boolean {
  return error instanceof Error && error.constructor === Error && !('code' in error)
}
