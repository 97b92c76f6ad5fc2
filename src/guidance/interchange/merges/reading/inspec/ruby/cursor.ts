import { RubyFault } from './fault.ts'

/** A position in a Ruby file that moves forward while the file is read. */
export class Cursor {
  readonly source: string
  at: number

  constructor(source: string, at: number) {
    this.source = source
    this.at = at
  }

  get isAtEnd(): boolean {
    return this.at >= this.source.length
  }

  /** Empty at the end of the file. */
  get character(): string {
    return this.source.charAt(this.at)
  }

  get preceding(): string {
    return this.source.charAt(this.at - 1)
  }

  get following(): string {
    return this.source.charAt(this.at + 1)
  }

  textTo(end: number): string {
    return this.source.slice(this.at, end)
  }

  /** Matches a sticky pattern at the current position. */
  match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at
    return pattern.exec(this.source)
  }

  skipToLineEnd(): void {
    const end = this.source.indexOf('\n', this.at)
    this.at = end === -1 ? this.source.length : end
  }

  skipDocuments(): void {
    while (this.source.startsWith('=begin', this.at)) {
      const end = this.source.indexOf('\n=end', this.at)
      if (end === -1) throw new RubyFault('The comment has no =end', this.at)
      this.at = end + 1
      this.skipToLineEnd()
      if (!this.isAtEnd) this.at += 1
    }
  }

  /** Moves to a dot at the beginning of a later line, if only comments are between. */
  skipToDot(): boolean {
    let at = this.at
    while (/[\s#]/.test(this.source.charAt(at))) {
      const end = this.source.charAt(at) === '#' ? this.source.indexOf('\n', at) : at + 1
      if (end === -1) return false
      at = end
    }
    const isDot = /^(?:&\.|\.(?!\.))/.test(this.source.slice(at, at + 2))
    if (isDot) this.at = at
    return isDot
  }
}
