import type { RecordText } from '../../contracts/guidance-records.ts'
import { foldText } from '../../platform/characters.ts'

const LABELS: Readonly<Record<string, string>> = {
  title: 'Title',
  fixtext: 'Fixtext',
  vuln_discussion: 'Vuln discussion',
  check: 'Check',
}
/** Characters before and after the word. */
const CONTEXT_LENGTH = 40

export interface Snippet {
  readonly snippet: string | null
  readonly matched_field: string | null
}

/**
 * Cut from the first field that has all words of the search text; nulls if there is none (docs/contract.md, Global
 * search).
 */
export function snippetOf(text: string, fields: readonly RecordText[]): Snippet {
  const words = foldText(text.replaceAll('"', ' '))
    .split(/\s+/)
    .filter((word) => word !== '')
  const [first] = words
  const hasAllWords = (field: RecordText): boolean => {
    const folded = foldText(field.text)
    return words.every((word) => folded.includes(word))
  }
  const field = fields.find((one) => one.field in LABELS && hasAllWords(one))
  if (field === undefined || first === undefined) return { snippet: null, matched_field: null }
  const around = cut(field.text, first)
  return { snippet: `[${LABELS[field.field] ?? ''}] ${around}`, matched_field: field.field }
}

function cut(text: string, word: string): string {
  // Folding may change the length a little, which only moves the window.
  const at = Math.max(0, foldText(text).indexOf(word))
  const [from, to] = [Math.max(0, at - CONTEXT_LENGTH), at + word.length + CONTEXT_LENGTH]
  const part = text
    .slice(from, to)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\p{Surrogate}/gu, '')
    .trim()
  return `${from > 0 ? '…' : ''}${part}${to < text.length ? '…' : ''}`
}
