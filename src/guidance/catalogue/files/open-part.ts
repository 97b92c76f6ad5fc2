import { MAX_PART_LENGTH } from './limits.ts'

/** What of a document is longer than anything may be. */
export interface LongPart {
  readonly kind: 'text' | 'tag' | 'comment' | 'processing instruction'
  /** Of a tag; else blank. */
  readonly element: string
  /** Where the tag is that long because of one; else null. */
  readonly attribute: string | null
}

/** As much of the beginning of a part as says what it is. */
const MAX_HEAD = 1000

/**
 * What an XML parser was given since it told of something. It keeps all of a comment, a text or a tag until
 * that ends, at worst in one object for each character.
 */
export class OpenPart {
  #head = ''
  #length = 0
  /** Of the document that was given to the parser so far. */
  #given = 0
  /** Where in the document something has ended since the parser was given the last piece. */
  #end: number | null = null

  /** The parser tells of something that ends here. */
  end(position: number): void {
    this.#end = position
  }

  /** After the parser has read another piece. Not null: what is too long. */
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

/** The parser has no seventh listener to tell of it. */
const DECLARATION = /^\uFEFF?<\?xml\s[^>]*\?>/

/** The head has up to two characters of what was before it: where a part ends, the next may have begun. */
function partOf(beginning: string): LongPart {
  const head = beginning.replace(DECLARATION, '')
  const plain = { element: '', attribute: null }
  if (/^[^<]?\s*<!--/.test(head)) return { kind: 'comment', ...plain }
  if (/^[^<]?\s*<\?/.test(head)) return { kind: 'processing instruction', ...plain }
  const element = /^[^<]?\s*<([^\s<>/!]+)/.exec(head)?.[1]
  if (element === undefined) return { kind: 'text', ...plain }
  const attribute = /\s([^\s=<>"']+)\s*=\s*(?:"[^"]*|'[^']*)$/.exec(head)?.[1] ?? null
  return { kind: 'tag', element, attribute }
}
