import type { TextCheck } from '../finding.ts'
import { findHits } from '../text/pattern-hits.ts'
import type { TextPiece } from '../text/sentences.ts'
import { limitRemarks } from './limit-remarks.ts'

const NEGATIVE = /\b(?:must (?:not|never)|cannot|can not|may not|(?:should|shall|will) not)\b/gi
const CAPABILITY_PHRASE = /\bmust (?:be capable of|be able to|have the (?:ability|capability) to)(?= )/gi
const SOFT_VERB = /\b(?:should|shall|will)\b/gi

function hitsOf(title: string, pattern: RegExp): readonly TextPiece[] {
  return findHits([{ start: 0, end: title.length, text: title }], pattern)
}

const must: TextCheck = ({ text, isBlank }) => {
  if (isBlank || /\bmust\b/i.test(text) || hitsOf(text, SOFT_VERB).length > 0) return []
  const message = 'Say what "must" be, or what "must be configured to" do what.'
  return [{ code: 'title_must', start: 0, end: text.length, message, suggestion: null }]
}

/** Beside "must", "should" begins a condition: "should the master fail". */
const soft: TextCheck = ({ text }) =>
  limitRemarks(hitsOf(text, /\bmust\b/i.test(text) ? /\bshall\b/gi : SOFT_VERB), ({ start, end, text: word }) => ({
    code: 'title_should',
    start,
    end,
    message: `Write "must" instead of "${word.toLowerCase()}".`,
    suggestion: /^[a-z]/.test(word) ? 'must' : null,
  }))

const capable: TextCheck = ({ text }) =>
  limitRemarks(hitsOf(text, CAPABILITY_PHRASE), ({ start, end, text: words }) => ({
    code: 'title_capable',
    start,
    end,
    message: 'Say what must be configured, not what must be possible.',
    suggestion: words.endsWith(' to') ? 'must be configured to' : null,
  }))

const negative: TextCheck = ({ text }) =>
  limitRemarks(hitsOf(text, NEGATIVE), ({ start, end, text: words }) => ({
    code: 'title_negative',
    start,
    end,
    suggestion: null,
    message: `Say what to do instead of "${words.toLowerCase()}": prohibit, prevent, disable.`,
  }))

/** Sentences after the first, of more than two words. */
const further: TextCheck = ({ sentences }) =>
  limitRemarks(
    sentences.slice(1).filter(({ text }) => text.split(/\s+/).length > 2),
    ({ start, end }) => ({
      code: 'title_sentences',
      start,
      end,
      suggestion: null,
      message: 'Say the requirement in one sentence; what explains it belongs in the discussion.',
    }),
  )

export const TITLE: readonly TextCheck[] = [must, soft, capable, negative, further]
