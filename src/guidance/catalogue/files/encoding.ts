import { TextDecoder } from 'node:util'
import { Refusal } from '../../../platform/errors.ts'

/** The number of bytes that are searched for the XML declaration. */
const DECLARATION_BYTES = 1024

/** Windows-1252 from 0x80 to 0x9f; blanks stand for the five undefined bytes. */
const WINDOWS_1252_HIGH = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'

interface UnicodeFamily {
  /** Null if the file begins with ASCII, as UTF-8 does. */
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'utf-32' | null
  readonly marked: boolean
}

/** Detects the encoding by the first bytes: a byte order mark, or the encoded `<` (XML 1.0, appendix F). */
function unicodeFamily(bytes: Uint8Array): UnicodeFamily {
  const hex = Buffer.from(bytes.subarray(0, 4)).toString('hex')
  if (/^(?:0000feff|fffe0000)/.test(hex)) return { encoding: 'utf-32', marked: true }
  if (/^(?:0000003c|3c000000)/.test(hex)) return { encoding: 'utf-32', marked: false }
  if (hex.startsWith('efbbbf')) return { encoding: 'utf-8', marked: true }
  if (hex.startsWith('fffe')) return { encoding: 'utf-16le', marked: true }
  if (hex.startsWith('feff')) return { encoding: 'utf-16be', marked: true }
  if (hex.startsWith('3c00')) return { encoding: 'utf-16le', marked: false }
  if (hex.startsWith('003c')) return { encoding: 'utf-16be', marked: false }
  return { encoding: null, marked: false }
}

/**
 * Decodes the beginning of a file, to recognise its type. Only ASCII characters are reliable; invalid bytes are not
 * refused.
 */
export function headText(head: Uint8Array): string {
  const { encoding } = unicodeFamily(head)
  if (encoding !== null && encoding !== 'utf-32') return new TextDecoder(encoding).decode(head)
  return latin1(head)
}

/** The pieces of a document; can be called several times. */
export type DocumentSource = () => Iterable<Uint8Array>

/**
 * The text of an XML document without its byte order mark. The encoding is that of the mark or the declaration,
 * else UTF-8 (XML 1.0, 4.3.3). Refuses (`bad_encoding`) an unknown encoding, by name, and bytes that are invalid in
 * it, with the line and the byte in the file, both from 1. Never replaces anything by U+FFFD.
 * `head` is the beginning of the document. No more than one piece of the rest is in memory; if one cannot be
 * decoded, the document is read again from its beginning to find the place.
 */
export function* decodeXml(source: DocumentSource, head: Uint8Array): Generator<string, void> {
  const { decoder, name, firstInvalid } = xmlDecoder(head)
  try {
    for (const piece of source()) yield decoder.decode(piece, false)
    yield decoder.decode(new Uint8Array(), true)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const bytes = Buffer.concat([...source()])
    throw refuseByte(bytes, firstInvalid(bytes), name)
  }
}

/** Decodes the pieces of one document in order. Throws a `TypeError` for invalid bytes. */
export interface PieceDecoder {
  decode(piece: Uint8Array, isLast: boolean): string
}

interface XmlDecoder {
  readonly decoder: PieceDecoder
  /** The name of the encoding in messages. */
  readonly name: string
  /** Returns the index of the first invalid byte; the length if the last character is incomplete. */
  readonly firstInvalid: (bytes: Uint8Array) => number
}

function xmlDecoder(head: Uint8Array): XmlDecoder {
  const { encoding, marked } = unicodeFamily(head)
  if (encoding === 'utf-32') throw unsupportedRefusal('UTF-32')
  if (encoding === null) return declaredDecoder(head)
  if (encoding !== 'utf-8' && !marked) requireDeclared(head, encoding)
  return standardDecoder(encoding)
}

/** Refuses the name "UTF-16" without a byte order mark (RFC 2781); "UTF-16LE" and "UTF-16BE" need none. */
function requireDeclared(bytes: Uint8Array, encoding: 'utf-16le' | 'utf-16be'): void {
  const head = new TextDecoder(encoding).decode(bytes.subarray(0, 2 * DECLARATION_BYTES))
  if (declaredEncoding(head) === encoding) return
  throw refuse('The encoding is utf-16 without byte order mark, which XML does not allow.')
}

function declaredDecoder(bytes: Uint8Array): XmlDecoder {
  const head = latin1(bytes.subarray(0, DECLARATION_BYTES))
  const label = declaredEncoding(head) ?? 'utf-8'
  const { encoding } = strictDecoder(label)
  if (encoding.startsWith('utf-16')) {
    throw refuse(`The declared encoding is ${label}, but the bytes are not UTF-16.`)
  }
  return encoding === 'windows-1252' ? westernDecoder(label) : standardDecoder(label)
}

/**
 * Replaces the standard decoder, which decodes ASCII and ISO 8859-1 as windows-1252 (WHATWG Encoding, 4.2); that of
 * Node 20 decodes windows-1252 as ISO 8859-1 (https://github.com/nodejs/node/issues/56542).
 */
function westernDecoder(label: string): XmlDecoder {
  if (label.includes('1252'))
    return byteDecoder('windows-1252', isNotWindows1252, (text) =>
      text.replace(/[\x80-\x9f]/g, (character) => windows1252(character.charCodeAt(0))),
    )
  const isOdd = /ascii|ansi/.test(label) ? (byte: number): boolean => byte > 0x7f : () => false
  return byteDecoder('ASCII', isOdd, (text) => text)
}

/** For encodings with one byte per character. */
function byteDecoder(
  name: string,
  isInvalid: (byte: number) => boolean,
  fromLatin1: (text: string) => string,
): XmlDecoder {
  const firstInvalid = (bytes: Uint8Array): number => bytes.findIndex((byte) => isInvalid(byte))
  const decode = (piece: Uint8Array): string => {
    if (firstInvalid(piece) !== -1) throw new TypeError(`Not ${name}`)
    return fromLatin1(latin1(piece))
  }
  return { decoder: { decode }, name, firstInvalid }
}

function declaredEncoding(head: string): string | null {
  const encoding = /^\s*<\?xml\s[^>]*?\sencoding\s*=\s*(["'])([^"']*)\1/.exec(head)?.[2]
  return encoding === undefined ? null : encoding.trim().toLowerCase()
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
}

/** A decoder without the byte order mark, for files that do not declare their encoding. */
export function pieceDecoder(encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'): PieceDecoder {
  return (encoding === 'windows-1252' ? westernDecoder(encoding) : standardDecoder(encoding)).decoder
}

/** Empty for a byte that is the same in ISO 8859-1. */
function windows1252(byte: number): string {
  return byte < 0x80 || byte > 0x9f ? '' : WINDOWS_1252_HIGH.charAt(byte - 0x80)
}

function isNotWindows1252(byte: number): boolean {
  return windows1252(byte) === ' '
}

function standardDecoder(encoding: string): XmlDecoder {
  const decoder = strictDecoder(encoding)
  return {
    name: encoding.toUpperCase(),
    firstInvalid: (bytes) => firstInvalidByte(bytes, encoding),
    decoder:
      decoder.encoding === 'utf-8'
        ? new Utf8Decoder()
        : { decode: (piece, isLast) => decoder.decode(piece, { stream: !isLast }) },
  }
}

/**
 * Cuts between characters and decodes each part separately: a text without wide characters then takes one byte per
 * character, while a streaming decoder's result takes two.
 */
class Utf8Decoder implements PieceDecoder {
  #rest: Uint8Array = new Uint8Array()
  #isFirst = true

  decode(piece: Uint8Array, isLast: boolean): string {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece])
    const end = isLast ? bytes.length : endOfCharacters(bytes)
    this.#rest = bytes.slice(end)
    if (end === 0) return ''
    const ignoreBOM = !this.#isFirst
    this.#isFirst = false
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM }).decode(bytes.subarray(0, end))
  }
}

/** Returns where an incomplete last character of UTF-8 (RFC 3629, 3) begins; without one, the end of the bytes. */
function endOfCharacters(bytes: Uint8Array): number {
  for (let fromEnd = 1; fromEnd <= Math.min(3, bytes.length); fromEnd += 1) {
    const byte = bytes[bytes.length - fromEnd] ?? 0
    if (byte >= 0xc0) return bytes.length - fromEnd
    if (byte < 0x80) break
  }
  return bytes.length
}

function strictDecoder(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding, { fatal: true })
  } catch {
    throw unsupportedRefusal(encoding)
  }
}

/** Finds the first invalid byte by bisection, which needs few decodings and works for any encoding. */
function firstInvalidByte(bytes: Uint8Array, encoding: string): number {
  let readable = 0
  let unreadable = bytes.length + 1
  while (unreadable - readable > 1) {
    const middle = Math.floor((readable + unreadable) / 2)
    if (isReadable(bytes.subarray(0, middle), encoding)) readable = middle
    else unreadable = middle
  }
  return readable
}

/** Whether bytes are the beginning of a text: an incomplete character at their end is allowed. */
function isReadable(bytes: Uint8Array, encoding: string): boolean {
  try {
    strictDecoder(encoding).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

function refuseByte(bytes: Uint8Array, index: number, encoding: string): Refusal {
  if (index >= bytes.length) {
    return refuse(`The file is not valid ${encoding}: it ends within a character.`)
  }
  const line = countLines(bytes.subarray(0, index))
  return refuse(`The file is not valid ${encoding} at line ${line}, byte ${index + 1} of the file.`)
}

/** Returns 1 for a text without line ends; works for UTF-16 as well, where line ends also have this byte. */
function countLines(bytes: Uint8Array): number {
  let lines = 1
  for (let end = bytes.indexOf(0x0a); end !== -1; end = bytes.indexOf(0x0a, end + 1)) lines += 1
  return lines
}

function unsupportedRefusal(encoding: string): Refusal {
  return refuse(`The encoding ${encoding.slice(0, 40)} is not supported; use UTF-8.`)
}

function refuse(detail: string): Refusal {
  return new Refusal('bad_encoding', detail)
}
