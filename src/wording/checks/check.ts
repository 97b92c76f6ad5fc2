import type { TextRemark, TextCheck } from '../finding.ts'
import { hasNoInstruction } from '../text/instructions.ts'
import { repeatsTitle } from './repeats-title.ts'
import { weakWords } from './weak-words.ts'

/** "This is a finding", "is a CAT I finding", "constitutes a finding"; not "this is not a finding". */
const FINDING =
  /\b(?:is|are|be|as|constitutes?|represents?)(?! not)\s+(?:(?:also|automatically|considered|still)\s+)?an?\s+(?:[\w"-]+\s+){0,3}findings?\b/i
const CONDITION = /\b(?:if|when|where|unless|otherwise|whether|any|failure|except)\b/i

const VERBS =
  /\b(?:verify|investigate|analyze|assess|ascertain|count|inquire|monitor|trace|right-click|expand|scroll|sort|navigate|identify|type|obtain|determine|check|ask|review|examine|confirm|inspect|ensure|run|open|view|select|interview|validate|locate|execute|enter|search|list|look|note|compare|test|request|observe|find|use|perform|attempt|access|scan|query|click|go to|log (?:in|on)|evaluate|see|read|browse|consult|issue|display)\b/i

/** A command is an instruction, and so is a text to compare with: "If the following … is not …:" before a list. */
const COMMAND = /^[ \t]*(?:[$#>] ?\w|sudo )|\bthe following\b[^:\n]{0,200}:/im
/** The whole check of a requirement that does not apply. */
const NOT_APPLICABLE = /^[^.\n]{0,80}\b(?:N\/?A|not applicable)\b[^.\n]{0,80}\.?\s*$/i

const finding: TextCheck = ({ text, isBlank }) => {
  if (isBlank || NOT_APPLICABLE.test(text)) return []
  const match = FINDING.exec(text)
  if (match === null) return [remarkOnMissingVerb(text) ?? remarkAtEnd(text)]
  // One conditional word in the whole check is enough, because conditions may be in lists.
  if (CONDITION.test(text)) return []
  const [start, end] = [match.index, match.index + match[0].length]
  const message = 'Say when this is a finding: "If …, this is a finding."'
  return [{ code: 'check_finding', start, end, message, suggestion: null }]
}

function remarkOnMissingVerb(text: string): TextRemark | null {
  const match = /\bthis an? finding\b/i.exec(text)
  if (match === null) return null
  const [start, end] = [match.index, match.index + match[0].length]
  return { code: 'check_finding', start, end, message: 'This sentence has no verb.', suggestion: 'this is a finding' }
}

function remarkAtEnd(text: string): TextRemark {
  const end = text.trimEnd().length
  const start = Math.max(text.lastIndexOf('\n', end - 1) + 1, 0)
  const message = 'The check does not say when it is a finding: "If …, this is a finding."'
  return { code: 'check_finding', start, end, message, suggestion: null }
}

const steps: TextCheck = (reading) =>
  !hasNoInstruction(reading) || [VERBS, COMMAND, NOT_APPLICABLE].some((pattern) => pattern.test(reading.text))
    ? []
    : [
        {
          code: 'check_steps',
          start: 0,
          end: reading.text.length,
          suggestion: null,
          message: 'Say what to do, with a verb: verify, navigate, identify, determine.',
        },
      ]

const MUST_SENTENCE =
  /^(?!verify|review|determine|check|confirm|validate|ensure|interview|if\b.*\b(?:not|no)\b).*\bmust\b/is

export const CHECK: readonly TextCheck[] = [
  finding,
  steps,
  weakWords('check_word'),
  // Checks begin with "Verify …" and end with "If … not …"; only the requirement itself says "must".
  repeatsTitle('check_title', MUST_SENTENCE),
]
