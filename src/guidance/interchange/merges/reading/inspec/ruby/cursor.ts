import { RubyFault } from './fault.ts'

const END_OF_CODE = /(?<![^\n])__END__(?:\n|$)/y

/** A position in a Ruby file that moves forward while the file is read. */
export class Cursor {
  readonly source: string
  position: number

  constructor(source: string, position: number) {
    this.source = source
    this.position = position
  }

  /** Whether the code ends here: at the end of the file, or at a line `__END__`. */
  get isAtEnd(): boolean {
    return this.position >= this.source.length || this.match(END_OF_CODE) !== null
  }

  /** Empty at the end of the file. */
  get character(): string {
    return this.source.charAt(this.position)
  }

  get preceding(): string {
    return this.source.charAt(this.position - 1)
  }

  get following(): string {
    return this.source.charAt(this.position + 1)
  }

  textTo(end: number): string {
    return this.source.slice(this.position, end)
  }

  /** Matches a sticky pattern at the current position. */
  match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.position
    return pattern.exec(this.source)
  }

  skipToLineEnd(): void {
    const end = this.source.indexOf('\n', this.position)
    this.position = end === -1 ? this.source.length : end
  }

  skipDocuments(): void {
    while (this.source.startsWith('=begin', this.position)) {
      const end = this.source.indexOf('\n=end', this.position)
      if (end === -1) throw new RubyFault('The comment has no =end', this.position)
      this.position = end + 1
      this.skipToLineEnd()
      if (!this.isAtEnd) this.position += 1
    }
  }

  /** Moves to a dot at the beginning of a later line, if only comments are between. */
  skipToDot(): boolean {
    let position = this.position
    while (/[\s#]/.test(this.source.charAt(position))) {
      const end = this.source.charAt(position) === '#' ? this.source.indexOf('\n', position) : position + 1
      if (end === -1) return false
      position = end
    }
    const isDot = /^(?:&\.|\.(?!\.))/.test(this.source.slice(position, position + 2))
    if (isDot) this.position = position
    return isDot
  }
}
