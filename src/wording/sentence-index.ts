import { statusRowOf } from './by-status.ts'
import { quoteFrom, type AdvisedField, type QuotedFinding } from './finding.ts'
import { MAX_READ_LENGTH, textOf, type WrittenRule } from './rule.ts'
import { ParsedText } from './text/parsed-text.ts'

/** Shorter sentences may be equal by chance. */
const LEAST_WORDS = 10
/** A sentence that more of the other rules have is repeated on purpose. */
const MAX_RULES = 2
/** All checks use the same words for their conclusion and exceptions. */
const USUAL_SENTENCE = /\bfinding\b|\bnot applicable\b|\bis N\/?A\b|^note\b|\bthe following (?:command|line)s?\b/i

/** A rule of the component. */
export interface NamedRule {
  readonly id: number
  readonly name: string
}

interface RuleSentence {
  readonly field: AdvisedField
  readonly checkId: number | null
  readonly start: number
  readonly end: number
  readonly key: string
  readonly quote: string
}

/** Indexes the sentences of a component's rules, to find those that were copied between rules. */
export class SentenceIndex {
  readonly #sentences = new Map<number, readonly RuleSentence[]>()
  readonly #names = new Map<number, string>()
  readonly #rules = new Map<string, Set<number>>()

  /** Adds or replaces a rule. */
  set({ id, name }: NamedRule, rule: WrittenRule): void {
    this.delete(id)
    const sentences = sentencesOfRule(rule)
    this.#sentences.set(id, sentences)
    this.#names.set(id, name)
    for (const { key } of sentences) {
      const rules = this.#rules.get(key)
      if (rules === undefined) this.#rules.set(key, new Set([id]))
      else rules.add(id)
    }
  }

  delete(id: number): void {
    for (const { key } of this.#sentences.get(id) ?? []) {
      const rules = this.#rules.get(key)
      rules?.delete(id)
      if (rules?.size === 0) this.#rules.delete(key)
    }
    this.#sentences.delete(id)
    this.#names.delete(id)
  }

  /** Sentences of a rule that a few other rules have too. Neighbouring sentences with the same rules are one finding. */
  findingsIn(ruleId: number): readonly QuotedFinding[] {
    const findings: QuotedFinding[] = []
    let last: SharedSentence | null = null
    for (const sentence of this.#sentences.get(ruleId) ?? []) {
      const otherRules = this.#otherRulesWith(sentence, ruleId)
      const continuesLast: boolean = last !== null && last.others === otherRules && isSameText(last, sentence)
      const { start, quote }: RuleSentence = continuesLast && last !== null ? last : sentence
      if (continuesLast) findings.pop()
      last = otherRules === null ? null : { ...sentence, start, quote, others: otherRules }
      if (last !== null) findings.push(findingOn(last))
    }
    return findings
  }

  /** The names of the other rules with a sentence; null if there are none, or too many. */
  #otherRulesWith({ key }: RuleSentence, id: number): string | null {
    const rules = this.#rules.get(key)
    if (rules === undefined || rules.size < 2 || rules.size > MAX_RULES + 1) return null
    const others = [...rules].filter((rule) => rule !== id)
    return others
      .map((rule) => this.#names.get(rule) ?? '')
      .sort()
      .join(' and ')
  }
}

interface SharedSentence extends RuleSentence {
  readonly others: string
}

function isSameText(a: RuleSentence, b: RuleSentence): boolean {
  return a.field === b.field && a.checkId === b.checkId
}

function findingOn({ field, checkId, start, end, quote, others }: SharedSentence): QuotedFinding {
  const message = `The same words are in ${others}.`
  return { code: 'other_rule', field, checkId, start, end, message, suggestion: null, quote }
}

/** The sentences of a rule, except those of its SRG, which all rules of a requirement share. */
function sentencesOfRule(rule: WrittenRule): readonly RuleSentence[] {
  if (!statusRowOf(rule).isWritten || rule.isSatisfied) return []
  const requirementSentences = new Set(
    new ParsedText(rule.requirement?.discussion ?? '').sentences.map(({ text }) => keyOf(text)),
  )
  const sentences = [
    ...sentencesOfText(rule.title, 'title', null),
    ...sentencesOfText(textOf(rule, 'vuln_discussion'), 'vuln_discussion', null),
    ...rule.checks.flatMap(({ id, content }) => sentencesOfText(content ?? '', 'check_content', id)),
    ...sentencesOfText(textOf(rule, 'fixtext'), 'fixtext', null),
  ]
  return sentences.filter(({ key }) => !requirementSentences.has(key))
}

function sentencesOfText(text: string, field: AdvisedField, checkId: number | null): readonly RuleSentence[] {
  return new ParsedText(text.slice(0, MAX_READ_LENGTH)).sentences.flatMap(({ start, end, text: sentence }) =>
    sentence.split(/\s+/).length < LEAST_WORDS || USUAL_SENTENCE.test(sentence)
      ? []
      : [
          {
            field,
            checkId,
            start,
            end,
            key: keyOf(sentence),
            quote: quoteFrom(text, { start, end }),
          },
        ],
  )
}

function keyOf(sentence: string): string {
  return sentence.toLowerCase().replace(/\s+/g, ' ')
}
