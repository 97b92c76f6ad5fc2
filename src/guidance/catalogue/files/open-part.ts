import { MAX_PART_LENGTH } from './limits.ts'

/** The part of a document that is too long. */
export interface LongPart {
  readonly kind: 'text' | 'tag' | 'comment' | 'processing instruction'
  /** The name of the tag; empty for other parts. */
  readonly element: string
  /** The attribute that makes the tag too long; else null. */
  readonly attribute: string | null
}

/** Characters at the beginning of a part that are enough to recognise it. */
const MAX_HEAD = 1000

/**
 * Measures the part of a document that an XML parser has not reported yet. The parser keeps a whole comment, text or
 * tag in memory until its end, in the worst case as one object per character.
 */
export class OpenPart {
  #head = ''
  #length = 0
  /** The characters that the parser was given so far. */
  #given = 0
  /** The end of the last reported part of the current piece; null if none was reported. */
  #end: number | null = null

  /** Called when the parser reports something that ends here. */
  end(position: number): void {
    this.#end = position
  }

  /** Called when the parser has read another piece. Returns the part that is too long, if any. */
  grow(piece: string): LongPart | null {
    const from = this.#end === null ? 0 : Math.max(0, this.#end - this.#given - 1)
    if (this.#end !== null) this.#head = ''
    if (this.#head.length < MAX_HEAD) this.#head += piece.slice(from, from + MAX_HEAD)
    this.#length = this.#end === null ? this.#length + piece.length : piece.length - from
    this.#given += piece.length
    this.#end = null
    return this.#length > MAX_PART_LENGTH ? partOf(this.#head) : null
  }
}

/** The parser does not report the declaration: a seventh listener would make it slow (see `strictParser`). */
const DECLARATION = /^\uFEFF?<\?xml\s[^>]*\?>/

/**
 * Recognises an unfinished part by its first characters, which up to two characters of the previous part may precede.
 */
function partOf(beginning: string): LongPart {
  const head = beginning.replace(DECLARATION, '')
  const plain = { element: '', attribute: null }
  if (/^[^<]?\s*<!--/.test(head)) return { kind: 'comment', ...plain }
  if (/^[^<]?\s*<\?/.test(head)) return { kind: 'processing instruction', ...plain }
  const element = /^[^<]?\s*<([^\s<>/!]+)/.exec(head)?.[1]
  if (element === undefined) return { kind: 'text', ...plain }
  return { kind: 'tag', element, attribute: /\s([^\s=<>"']+)\s*=\s*(?:"[^"]*|'[^']*)$/.exec(head)?.[1] ?? null }
}
