import { RubyFault } from './fault.ts'
import { LOOPS } from './words.ts'

export type Closing = ')' | ']' | '}' | 'end'

/** An open bracket or block. */
export interface Frame {
  readonly closing: Closing
  readonly start: number
  /** Whether these are brackets around the parameters of a `def`. */
  readonly isParameters: boolean
  /** Whether a loop waits for its `do`, which opens no other block. */
  awaitsDo: boolean
}

const MAX_FRAMES = 500

/** The brackets and blocks that are open. */
export class Frames {
  readonly #open: Frame[] = []

  get depth(): number {
    return this.#open.length
  }

  get last(): Frame | undefined {
    return this.#open.at(-1)
  }

  get areParameters(): boolean {
    return this.last?.isParameters === true
  }

  /** Within these brackets, the end of a line does not end a statement. */
  get areLinesJoined(): boolean {
    return this.last?.closing === ')' || this.last?.closing === ']'
  }

  open(start: number, closing: Closing, isParameters: boolean): void {
    this.#add({ start, closing, isParameters, awaitsDo: false })
  }

  /** Opens the block that starts with a word. */
  openBlock(start: number, word: string): void {
    if (word === 'do' && this.last?.awaitsDo === true) this.last.awaitsDo = false
    else this.#add({ start, closing: 'end', isParameters: false, awaitsDo: LOOPS.has(word) })
  }

  #add(frame: Frame): void {
    if (this.depth === MAX_FRAMES) throw new RubyFault('Blocks and brackets are nested too deeply', frame.start)
    this.#open.push(frame)
  }

  close(closing: Closing, position: number): Frame {
    const frame = this.last
    if (frame?.closing !== closing) throw new RubyFault(`This "${closing}" closes nothing`, position)
    this.#open.pop()
    return frame
  }

  /** Closes a `def size = 3`, which has no `end`. */
  closeEndless(): void {
    if (this.last?.closing === 'end') this.#open.pop()
  }

  /** The `do` of a loop must be in its first line. */
  endStatement(): void {
    if (this.last !== undefined) this.last.awaitsDo = false
  }

  requireClosed(): void {
    if (this.last !== undefined) throw new RubyFault(`What begins here has no "${this.last.closing}"`, this.last.start)
  }
}
