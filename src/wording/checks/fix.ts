import type { TextRemark, TextCheck } from '../finding.ts'
import { hasNoInstruction } from '../text/instructions.ts'
import { linesOf } from '../text/sentences.ts'
import { fixMatchesCheck } from './fix-matches-check.ts'
import { weakWords } from './weak-words.ts'

const VERBS =
  'ensure|configure|set|select|add|edit|run|remove|delete|enable|disable|install|uninstall|update|upgrade|create|change|' +
  'modify|implement|apply|restart|reboot|use|document|establish|define|develop|obtain|review|verify|navigate|' +
  'open|click|check|uncheck|enter|type|replace|assign|restrict|limit|grant|revoke|place|move|copy|rename|' +
  'locate|log|go|perform|execute|insert|append|comment|uncomment|deploy|provide|submit|register|require|' +
  'train|design|build|encrypt|mask|follow|generate|identify|issue|maintain|make|mount|prevent|protect|reset|save|' +
  'start|stop|turn|write|download|import|export|protect|include|employ|utilize|force|specify|determine|turn|expand|' +
  'store|sign|test|validate|allow|choose|direct|do|give|have|keep|lock|patch|purchase|refer|reconfigure|' +
  'reinstall|retain|separate|adjust|allocate|audit|block|clear|connect|contact|correct|deny|disconnect|' +
  'migrate|monitor|off-load|offload|redesign|rebuild|record|relocate|resolve|rotate|route|schedule|secure|segment|synchronize|request|regenerate|renew|setup|consult|coordinate|prepare|ask|examine|right-click|double-click|scroll|deselect|inspect|investigate|upload|unload|unmask'
const HAS_VERB = new RegExp(String.raw`\b(?:${VERBS})\b`, 'i')
const IMPERATIVE = new RegExp(String.raw`^\s*(?:then |next,? |finally,? )?(?:${VERBS})\b`, 'i')
const NUMBERED = /^[ \t]*(?:\(?(?:\d{1,2}|[a-z])[.):]|step \d|[-*•>])/im
/** These verbs state a goal and not a step. Goals need no numbers. */
const GOAL_VERB =
  /^\s*(?:ensure|configure|use|utilize|employ|implement|deploy|develop|design|establish|define|document|maintain|require|provide|enforce|protect|restrict|limit|prevent|allow|include|encrypt|force|retain|keep|have|build)\b/i
/** The order of fewer steps is clear without numbers. */
const MIN_SENTENCES = 3

const steps: TextCheck = (reading) =>
  !hasNoInstruction(reading) || HAS_VERB.test(reading.text)
    ? []
    : [
        {
          code: 'fix_steps',
          start: 0,
          end: reading.text.length,
          suggestion: null,
          message: 'Say what to do, with a verb: ensure, configure, set, select.',
        },
      ]

const numbers: TextCheck = ({ text }): readonly TextRemark[] => {
  if (NUMBERED.test(text)) return []
  const commands = linesOf(text).filter(({ text: line }) => /^\s*[A-Z]/.test(line) && IMPERATIVE.test(line))
  const [first, last] = [commands[0], commands.at(-1)]
  if (first === undefined || last === undefined || commands.length < MIN_SENTENCES) return []
  if (commands.every(({ text: line }) => GOAL_VERB.test(line))) return []
  const message = `Number the ${commands.length} steps.`
  return [{ code: 'fix_numbers', start: first.start, end: last.end, message, suggestion: null }]
}

export const FIX: readonly TextCheck[] = [steps, numbers, weakWords('fix_word'), fixMatchesCheck]
