import { Refusal } from '../../../platform/errors.ts'
import { headText, type DocumentSource } from './encoding.ts'

/** Bytes that are read to recognise a file. */
export const HEAD_BYTES = 65_536

/** The first bytes of a zip: with members, without any, and in several parts. */
const ZIP = ['PK\x03\x04', 'PK\x05\x06', 'PK\x07\x08']

/** The first bytes of other types that people upload by mistake. */
const MAGIC: readonly (readonly [string, string])[] = [
  ['%PDF', 'a PDF document'],
  ['\x89PNG', 'a PNG image'],
  ['\xff\xd8\xff', 'a JPEG image'],
  ['GIF8', 'a GIF image'],
  ['\x1f\x8b', 'a gzip archive'],
  ['7z\xbc\xaf\x27\x1c', 'a 7z archive'],
  ['Rar!', 'a RAR archive'],
  ['\xd0\xcf\x11\xe0', 'a Microsoft Office document'],
  ['{\\rtf', 'a rich text document'],
]

/**
 * Distinguishes zips and XML documents by their first bytes, not by their names. Refuses all other files (`empty_file`,
 * `unsupported_file_type`); the message names the type.
 */
export function fileType(bytes: Uint8Array): 'zip' | 'xml' {
  if (bytes.length === 0) throw new Refusal('empty_file', 'The file is empty.')
  const head = bytes.subarray(0, HEAD_BYTES)
  const raw = Buffer.from(head.buffer, head.byteOffset, head.length).toString('latin1')
  if (ZIP.some((magic) => raw.startsWith(magic))) return 'zip'
  const otherType = MAGIC.find(([magic]) => raw.startsWith(magic))
  if (otherType !== undefined) throw refuse(`The file is ${otherType[1]}, not XML and not a zip.`)
  return textType(headText(head))
}

function textType(text: string): 'xml' {
  const start = text.trimStart()
  if (start === '') {
    throw new Refusal('empty_file', 'The file is empty but for blanks.')
  }
  if (/^(?:<!--(?:(?!-->).)*-->\s*)*<(?:!doctype\s+html|html)[\s>]/is.test(start)) {
    throw refuse('The file is HTML, not XML.')
  }
  if (start.startsWith('<')) return 'xml'
  if (/^[[{]\s*["[{\]}\d]/.test(start)) throw refuse(jsonKind(start))
  throw refuse('The file is not XML and not a zip.')
}

/** A CKLB is recognised by the members for its STIGs and its target. */
function jsonKind(start: string): string {
  if (/"stigs"\s*:/.test(start) && /"(?:target_data|cklb_version)"\s*:/.test(start)) {
    return 'The file is a CKLB checklist (JSON), not an XCCDF benchmark.'
  }
  return 'The file is JSON, not XML.'
}

function refuse(detail: string): Refusal {
  return new Refusal('unsupported_file_type', detail)
}

/** The first bytes of a document, by which its type and its encoding are recognised. */
export function headOf(source: DocumentSource): Uint8Array {
  const pieces: Uint8Array[] = []
  let size = 0
  for (const piece of source()) {
    pieces.push(piece)
    size += piece.length
    if (size >= HEAD_BYTES) break
  }
  return Buffer.concat(pieces).subarray(0, HEAD_BYTES)
}
