import { RubyFault } from './fault.ts'

interface Heredoc {
  /** The index at which the heredoc is named. */
  readonly start: number
  /** The text of its last line. */
  readonly id: string
  /** Whether blanks may stand before the last line. */
  readonly mayBeIndented: boolean
}

/** Heredocs that have been named and whose texts begin on the next line. */
export class Heredocs {
  #named: Heredoc[] = []

  add(heredoc: Heredoc): void {
    this.#named.push(heredoc)
  }

  /** Skips their texts, which begin at an index. Returns the index after them. */
  skip(source: string, from: number): number {
    let position = from
    for (const heredoc of this.#named) position = endOf(heredoc, source, position)
    this.#named = []
    return position
  }

  requireRead(): void {
    const [heredoc] = this.#named
    if (heredoc !== undefined) throw noEnd(heredoc)
  }
}

function endOf(heredoc: Heredoc, source: string, from: number): number {
  for (let position = from; position < source.length;) {
    const end = source.indexOf('\n', position)
    const line = source.slice(position, end === -1 ? source.length : end)
    position = end === -1 ? source.length : end + 1
    if ((heredoc.mayBeIndented ? line.trimStart() : line) === heredoc.id) return position
  }
  throw noEnd(heredoc)
}

function noEnd({ id, start }: Heredoc): RubyFault {
  return new RubyFault(`The text that begins here has no line "${id}" at its end`, start)
}
