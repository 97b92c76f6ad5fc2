/** Code that cannot be read as Ruby. */
export class RubyFault extends Error {
  /** The index of the character in the source. */
  readonly position: number

  constructor(message: string, position: number) {
    super(message)
    this.position = position
  }
}

/** Counts lines, from 1, for positions in ascending order. */
export class LineCounter {
  readonly #source: string
  #lineStart = 0
  #line = 1

  constructor(source: string) {
    this.#source = source
  }

  lineAt(position: number): number {
    for (
      let end = this.#source.indexOf('\n', this.#lineStart);
      end !== -1 && end < position;
      end = this.#source.indexOf('\n', this.#lineStart)
    ) {
      this.#lineStart = end + 1
      this.#line += 1
    }
    return this.#line
  }
}
