import { highlightCode, tagHighlighter, tags } from '@lezer/highlight'
import { ruby } from './ruby.ts'

/** A part of a text of one kind, for its colour. */
export interface CodePiece {
  readonly text: string
  readonly kind: string
}

const KINDS = tagHighlighter([
  { tag: tags.keyword, class: 'code-key' },
  { tag: [tags.atom, tags.string], class: 'code-string' },
  { tag: tags.comment, class: 'code-comment' },
])

/** Splits Ruby into pieces with the colours of the editor. */
export function highlightRuby(code: string): readonly CodePiece[] {
  const pieces: CodePiece[] = []
  highlightCode(
    code,
    ruby.parser.parse(code),
    KINDS,
    (text, kind) => pieces.push({ text, kind }),
    () => pieces.push({ text: '\n', kind: '' }),
  )
  return pieces
}
