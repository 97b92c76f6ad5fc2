import { createReadStream } from 'node:fs'
import { z } from 'zod'
import { Refusal } from '../../../../platform/errors.ts'
import { pieceDecoder } from '../../../catalogue/files/encoding.ts'

/** The encodings of CSV files that can be read. UTF-16 may have either byte order, and a mark or none. */
export const SHEET_ENCODINGS = ['utf-8', 'windows-1252', 'utf-16'] as const

export type SheetEncoding = (typeof SHEET_ENCODINGS)[number]

/** The names of the encodings in messages. */
const NAMES = { 'utf-8': 'UTF-8', 'windows-1252': 'Windows-1252', 'utf-16': 'UTF-16' } as const

/** An encoding in a form. A blank one counts as absent. */
export const sheetEncoding: z.ZodType<SheetEncoding | null, string> = z
  .string()
  .trim()
  .toLowerCase()
  .pipe(z.enum(['', ...SHEET_ENCODINGS], `Encoding must be one of ${SHEET_ENCODINGS.join(', ')}`))
  .transform((name) => (name === '' ? null : name))
  .meta({ type: 'string', description: 'The encoding of a CSV file that is not in UTF-8, as a preview has found it' })

/** The encoding in which a CSV file was read; null for UTF-8 and other kinds of files. */
export const readEncodingSchema = z
  .object({
    name: z.enum(SHEET_ENCODINGS),
    samples: z
      .array(z.object({ place: z.string(), text: z.string() }))
      .meta({ description: 'Cells whose characters depend on the encoding' }),
  })
  .nullable()
  .meta({ description: 'How a CSV file was read that is not in UTF-8: send the name as `encoding` to import it so' })

export type ReadEncoding = z.output<typeof readEncodingSchema>

/** Refuses to import a file in a guessed encoding. A preview shows the result of the guess. */
export function requireNamed(readAs: ReadEncoding, namedEncoding: SheetEncoding | null): void {
  if (readAs === null || namedEncoding !== null) return
  const name = NAMES[readAs.name]
  const detail = `The file is not in UTF-8, but probably in ${name}. Look at a preview, then send "encoding" with it.`
  throw new Refusal('bad_encoding', detail, { encoding: readAs })
}

/** An encoding with its byte order. */
export type FileEncoding = 'utf-8' | 'windows-1252' | 'utf-16le' | 'utf-16be'

export function nameOf(encoding: FileEncoding): SheetEncoding {
  return encoding === 'utf-16le' || encoding === 'utf-16be' ? 'utf-16' : encoding
}

/**
 * The encoding of a CSV file: the given one, else the one that its bytes show. A file that is not in Unicode counts as
 * Windows-1252, in which Excel saves "CSV". Refuses a UTF-8 file with damaged bytes.
 */
export async function findEncoding(
  file: string,
  head: Buffer,
  givenEncoding: SheetEncoding | null,
): Promise<FileEncoding> {
  if (givenEncoding === 'utf-8' || givenEncoding === 'windows-1252') return givenEncoding
  const unicode = utf16Of(head)
  if (givenEncoding === 'utf-16') return unicode ?? 'utf-16le'
  if (unicode !== null) return unicode
  const counter = new Utf8Counter()
  for await (const chunk of createReadStream(file)) if (chunk instanceof Uint8Array) counter.count(chunk)
  counter.end()
  const { valid, invalid, firstInvalidLine } = counter
  if (invalid === 0) return 'utf-8'
  if (valid > invalid)
    throw new Refusal('bad_encoding', `The file is in UTF-8, but line ${firstInvalidLine} has bytes that are not.`)
  return 'windows-1252'
}

/** Recognises UTF-16 by the byte order mark, or by the zero bytes of ASCII characters; null for other encodings. */
function utf16Of(head: Buffer): 'utf-16le' | 'utf-16be' | null {
  const mark = head.subarray(0, 2).toString('hex')
  if (mark === 'fffe') return 'utf-16le'
  if (mark === 'feff') return 'utf-16be'
  const zeros = [0, 0]
  for (const [index, byte] of head.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (Math.max(even, odd) < head.length / 4) return null
  return odd > even ? 'utf-16le' : 'utf-16be'
}

const LINE_FEED = 0x0a

/** Counts complete characters beyond ASCII in UTF-8 (RFC 3629), and invalid bytes. */
class Utf8Counter {
  valid = 0
  invalid = 0
  firstInvalidLine = 0
  #line = 1
  /** The number of bytes that the current character still needs. */
  #missing = 0

  count(bytes: Uint8Array): void {
    for (const byte of bytes) this.#pass(byte)
  }

  /** Counts a character that the end of the file cuts off. */
  end(): void {
    if (this.#missing > 0) this.#fail()
  }

  #pass(byte: number): void {
    if (this.#missing > 0 && (byte & 0xc0) === 0x80) {
      this.#missing -= 1
      if (this.#missing === 0) this.valid += 1
      return
    }
    if (this.#missing > 0) this.#fail()
    if (byte === LINE_FEED) this.#line += 1
    if (byte < 0x80) return
    this.#missing = followersOf(byte)
    if (this.#missing === 0) this.#fail()
  }

  #fail(): void {
    this.#missing = 0
    this.invalid += 1
    if (this.firstInvalidLine === 0) this.firstInvalidLine = this.#line
  }
}

/** The number of bytes after the first byte of a character; zero if none begins with it. */
function followersOf(byte: number): number {
  if (byte >= 0xf0) return byte <= 0xf4 ? 3 : 0
  if (byte >= 0xe0) return 2
  return byte >= 0xc2 ? 1 : 0
}

/** The text of a file in pieces. Refuses bytes that are invalid in the encoding. */
export async function* decoded(file: string, encoding: FileEncoding): AsyncGenerator<string, void> {
  const decoder = pieceDecoder(encoding)
  try {
    for await (const chunk of createReadStream(file))
      if (chunk instanceof Uint8Array) yield decoder.decode(chunk, false)
    yield decoder.decode(new Uint8Array(), true)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const detail = `The file is not in ${NAMES[nameOf(encoding)]}. Save it as "CSV UTF-8".`
    throw new Refusal('bad_encoding', detail)
  }
}

/** The number of cells that show the result of reading a file in an encoding. */
const MAX_SAMPLES = 8
const SAMPLE_CHARACTERS = 60

/** Collects cells with a character beyond ASCII that is not in an earlier sample. */
export class EncodingSamples {
  readonly all: { readonly place: string; readonly text: string }[] = []
  readonly #shown = new Set<string>()

  add(place: string, text: string): void {
    if (this.all.length >= MAX_SAMPLES) return
    for (const match of text.matchAll(/[^\0-\x7f]/gu)) {
      if (this.#shown.has(match[0])) continue
      const excerpt = excerptAt(text, match.index)
      for (const character of excerpt) this.#shown.add(character)
      this.all.push({ place, text: excerpt })
      return
    }
  }
}

function excerptAt(text: string, index: number): string {
  const from = Math.max(0, index - SAMPLE_CHARACTERS / 2)
  const to = Math.min(text.length, from + SAMPLE_CHARACTERS)
  return `${from > 0 ? '…' : ''}${text.slice(from, to).replaceAll(/\s+/g, ' ')}${to < text.length ? '…' : ''}`
}
