import type { TextRemark, TextCheck } from '../finding.ts'
import type { GuideCode } from '../guide.ts'
import { hitsIn, blankQuotes, type PatternHit } from '../text/marks.ts'
import { firstOf } from './first-of.ts'

const WEAK = /\b(?:should|shall)\b|\bplease\b(?:\s+\S)?/gi

/** Words that ask or recommend, where the guide wants instructions. */
export function weakWords(code: GuideCode): TextCheck {
  return ({ prose }) => firstOf(hitsIn(blankQuotes(prose), WEAK), (hit) => remarkOn(hit, code))
}

function remarkOn({ start, end, text }: PatternHit, code: GuideCode): TextRemark {
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
