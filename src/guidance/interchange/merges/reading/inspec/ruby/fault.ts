/** Code that cannot be read as Ruby. */
export class RubyFault extends Error {
  /** The index of the character in the source. */
  readonly at: number

  constructor(message: string, at: number) {
    super(message)
    this.at = at
  }
}

/** Counts lines, from 1, for positions in ascending order. */
export class LineCounter {
  readonly #source: string
  #at = 0
  #line = 1

  constructor(source: string) {
    this.#source = source
  }

  lineAt(at: number): number {
    for (
      let end = this.#source.indexOf('\n', this.#at);
      end !== -1 && end < at;
      end = this.#source.indexOf('\n', this.#at)
    ) {
      this.#at = end + 1
      this.#line += 1
    }
    return this.#line
  }
}
