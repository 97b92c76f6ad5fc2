import type { TextRemark, TextCheck } from '../finding.ts'
import type { GuideCode } from '../guide.ts'
import { findHits, blankQuotes } from '../text/pattern-hits.ts'
import type { TextPiece } from '../text/sentences.ts'
import { limitRemarks } from './limit-remarks.ts'

const WEAK_WORDS = /\b(?:should|shall)\b|\bplease\b(?:\s+\S)?/gi

/** Finds words that ask or recommend; the guide requires instructions. */
export function weakWords(code: GuideCode): TextCheck {
  return ({ prose }) => limitRemarks(findHits(blankQuotes(prose), WEAK_WORDS), (hit) => remarkOn(hit, code))
}

function remarkOn({ start, end, text }: TextPiece, code: GuideCode): TextRemark {
  const word = /^[a-z]+/i.exec(text)?.[0] ?? text
  const message = `Give an instruction, without "${word.toLowerCase()}".`
  return { code, start, end, message, suggestion: suggestionFor(text) }
}

/** A sentence that begins with "Should …" is a condition: only its author can rephrase it. */
function suggestionFor(text: string): string | null {
  if (/^s/i.test(text)) return text.startsWith('s') ? 'must' : null
  const next = text.slice('please'.length).trimStart()
  return text.startsWith('P') ? next.toUpperCase() : next
}
