import type { Finding } from '../../../../wording/finding.ts'
import { GUIDE, type GuideCode } from '../../../../wording/guide.ts'
import type { Values } from '../saving/draft.ts'
import { formField, textOf, type AdvisedRule } from './advised-rule.ts'

/** A suggestion for a range of one field of the form. */
export interface AdviceItem {
  readonly code: GuideCode
  /** The sentence of the guide. */
  readonly rule: string
  readonly field: string
  readonly start: number
  readonly end: number
  /** The quoted words; empty if the suggestion is about the whole field. */
  readonly quote: string
  readonly message: string
  readonly suggestion: string | null
}

/** A finding in an answer of the service. */
interface ServiceFinding {
  readonly code: GuideCode
  readonly rule: string
  readonly field: string
  readonly check_id: number | null
  readonly start: number
  readonly end: number
  readonly message: string
  readonly suggestion: string | null
}

/** Checks that only the service can make, because they need other rules and the catalogue. */
const SERVICE_CODES: ReadonlySet<GuideCode> = new Set<GuideCode>(['other_rule', 'cci_unknown', 'cci_control'])

/** Shapes the findings in the current texts. */
export function shapeOwnFindings(
  findings: readonly Finding[],
  values: Values,
  rule: AdvisedRule,
): readonly AdviceItem[] {
  return findings.map(({ code, start, end, message, suggestion, ...place }) => {
    const field = formField(place, rule)
    const quote = textOf(values[field]).slice(start, end)
    return { code, rule: GUIDE[code], field, start, end, quote, message, suggestion }
  })
}

/** Shapes the findings that only the service can make, with the words of the saved text that they are about. */
export function shapeServiceFindings(
  findings: readonly ServiceFinding[],
  stored: Values,
  rule: AdvisedRule,
): readonly AdviceItem[] {
  return findings
    .filter(({ code }) => SERVICE_CODES.has(code))
    .map(({ code, rule: words, start, end, message, suggestion, ...place }) => {
      const field = formField({ field: place.field, checkId: place.check_id }, rule)
      const value = stored[field]
      const quote = textOf(typeof value === 'string' ? value.slice(start, end) : null)
      return { code, rule: words, field, start, end, quote, message, suggestion }
    })
}

/** Finds each suggestion again in the current text; suggestions whose words are gone are dropped. */
export function findAgain(items: readonly AdviceItem[], values: Values): readonly AdviceItem[] {
  return items.flatMap((item) => {
    const text = textOf(values[item.field])
    const start = findNearest(text, item)
    return start === -1 ? [] : [{ ...item, start, end: start + item.quote.length }]
  })
}

const LETTER = /[\p{L}\p{N}_]/u

/**
 * Finds the occurrence of a quote nearest to its former place, as whole words ("shall" is not in "marshalling"), or -1.
 */
export function findNearest(text: string, { quote, start }: Pick<AdviceItem, 'quote' | 'start'>): number {
  if (quote === '') return Math.min(start, text.length)
  let nearest = -1
  for (let position = text.indexOf(quote); position !== -1; position = text.indexOf(quote, position + 1)) {
    if (!isWhole(text, position, quote)) continue
    if (nearest === -1 || Math.abs(position - start) < Math.abs(nearest - start)) nearest = position
  }
  return nearest
}

function isWhole(text: string, position: number, quote: string): boolean {
  const cutsFirst = LETTER.test(quote.charAt(0)) && LETTER.test(text.charAt(position - 1))
  const cutsLast = LETTER.test(quote.at(-1) ?? '') && LETTER.test(text.charAt(position + quote.length))
  return !cutsFirst && !cutsLast
}

/** Whether a click can replace the quoted words with the suggestion. */
export function isReplaceable({ quote, suggestion }: AdviceItem): boolean {
  return quote.trim() !== '' && suggestion !== null && suggestion.trim() !== ''
}

/** Replaces the quoted words with the suggestion; null if the text does not have them any more. */
export function withSuggestion(text: string, item: AdviceItem): string | null {
  const start = findNearest(text, item)
  return start === -1 ? null : text.slice(0, start) + (item.suggestion ?? '') + text.slice(start + item.quote.length)
}

/** Groups suggestions by rule of the guide, in the order of the form. */
export function groupByCode(
  items: readonly AdviceItem[],
): readonly { readonly code: GuideCode; readonly rule: string; readonly items: readonly AdviceItem[] }[] {
  const groups = new Map<GuideCode, AdviceItem[]>()
  for (const item of items) {
    const group = groups.get(item.code)
    if (group === undefined) groups.set(item.code, [item])
    else group.push(item)
  }
  return [...groups].map(([code, groupItems]) => ({ code, rule: groupItems[0]?.rule ?? '', items: groupItems }))
}
