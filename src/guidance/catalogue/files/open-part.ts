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
 * How much an XML parser was given since it last reported anything. It keeps a whole comment, text or tag until
 * that ends, in the worst case as one object per character.
 */
export class OpenPart {
  #head = ''
  #length = 0
  /** The characters that the parser was given so far. */
  #given = 0
  /** The position of the last end that was reported since the last piece; null: none. */
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

/** The parser reports no declarations, as it has six listeners already. */
const DECLARATION = /^\uFEFF?<\?xml\s[^>]*\?>/

/** The head has up to two characters of what came before: where a part ends, the next may have begun. */
function partOf(beginning: string): LongPart {
  const head = beginning.replace(DECLARATION, '')
  const plain = { element: '', attribute: null }
  if (/^[^<]?\s*<!--/.test(head)) return { kind: 'comment', ...plain }
  if (/^[^<]?\s*<\?/.test(head)) return { kind: 'processing instruction', ...plain }
  const element = /^[^<]?\s*<([^\s<>/!]+)/.exec(head)?.[1]
  if (element === undefined) return { kind: 'text', ...plain }
  return { kind: 'tag', element, attribute: /\s([^\s=<>"']+)\s*=\s*(?:"[^"]*|'[^']*)$/.exec(head)?.[1] ?? null }
}
