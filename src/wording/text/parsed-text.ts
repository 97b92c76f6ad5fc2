import { proseOf, sentencesIn, type TextPiece } from './sentences.ts'
import { wordsOf } from './words.ts'

/** A text with its prose, sentences and words, each found once and only when needed. */
export class ParsedText {
  readonly text: string
  readonly isBlank: boolean
  #prose: readonly TextPiece[] | null = null
  #sentences: readonly TextPiece[] | null = null
  #words: ReadonlySet<string> | null = null

  constructor(text: string) {
    this.text = text
    this.isBlank = text.trim() === ''
  }

  get prose(): readonly TextPiece[] {
    return (this.#prose ??= proseOf(this.text))
  }

  /** The sentences of the prose, without blanks around them. */
  get sentences(): readonly TextPiece[] {
    return (this.#sentences ??= sentencesIn(this.prose))
  }

  get words(): ReadonlySet<string> {
    return (this.#words ??= wordsOf(this.text))
  }
}
