import { rowOf } from './by-status.ts'
import { quoteFrom, type AdvisedField, type QuotedFinding } from './finding.ts'
import { READ_SO_FAR, textOf, type WrittenRule } from './rule.ts'
import { Reading } from './text/reading.ts'

/** Shorter sentences are alike without anybody having copied them. */
const LEAST_WORDS = 10
/** A sentence that more of the other rules share is repeated on purpose. */
const MOST_RULES = 2
/** All checks use the same words for their conclusion and exceptions. */
const USUAL = /\bfinding\b|\bnot applicable\b|\bis N\/?A\b|^note\b|\bthe following (?:command|line)s?\b/i

/** A rule among its fellows. */
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

/** The sentences of a component's rules, by rule. */
export class Sentences {
  readonly #said = new Map<number, readonly RuleSentence[]>()
  readonly #names = new Map<number, string>()
  readonly #rules = new Map<string, Set<number>>()

  /** Takes a rule in, or what it has become. */
  set({ id, name }: NamedRule, rule: WrittenRule): void {
    this.delete(id)
    const said = sentencesOfRule(rule)
    this.#said.set(id, said)
    this.#names.set(id, name)
    for (const { key } of said) {
      const rules = this.#rules.get(key)
      if (rules === undefined) this.#rules.set(key, new Set([id]))
      else rules.add(id)
    }
  }

  delete(id: number): void {
    for (const { key } of this.#said.get(id) ?? []) {
      const rules = this.#rules.get(key)
      rules?.delete(id)
      if (rules?.size === 0) this.#rules.delete(key)
    }
    this.#said.delete(id)
    this.#names.delete(id)
  }

  /** Sentences of a rule that a few others have too. Neighbours that the same rules have are one finding. */
  findingsIn(ruleId: number): readonly QuotedFinding[] {
    const found: QuotedFinding[] = []
    let last: SharedSentence | null = null
    for (const said of this.#said.get(ruleId) ?? []) {
      const others = this.#othersWith(said, ruleId)
      const goesOn: boolean = last !== null && last.others === others && isSameText(last, said)
      const { start, quote }: RuleSentence = goesOn && last !== null ? last : said
      if (goesOn) found.pop()
      last = others === null ? null : { ...said, start, quote, others }
      if (last !== null) found.push(findingOn(last))
    }
    return found
  }

  /** The names of the others; null if there are none, or too many. */
  #othersWith({ key }: RuleSentence, id: number): string | null {
    const rules = this.#rules.get(key)
    if (rules === undefined || rules.size < 2 || rules.size > MOST_RULES + 1) return null
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

function isSameText(one: RuleSentence, other: RuleSentence): boolean {
  return one.field === other.field && one.checkId === other.checkId
}

function findingOn({ field, checkId, start, end, quote, others }: SharedSentence): QuotedFinding {
  const message = `The same words are in ${others}.`
  return { code: 'other_rule', field, checkId, start, end, message, suggestion: null, quote }
}

/** The author's sentences, without those of the SRG, which rules of one requirement share. */
function sentencesOfRule(rule: WrittenRule): readonly RuleSentence[] {
  if (!rowOf(rule).isWritten || rule.isSatisfied) return []
  const given = new Set(new Reading(rule.requirement?.discussion ?? '').sentences.map(({ text }) => keyOf(text)))
  const said = [
    ...sentencesOfText(rule.title, 'title', null),
    ...sentencesOfText(textOf(rule, 'vuln_discussion'), 'vuln_discussion', null),
    ...rule.checks.flatMap(({ id, content }) => sentencesOfText(content ?? '', 'check_content', id)),
    ...sentencesOfText(textOf(rule, 'fixtext'), 'fixtext', null),
  ]
  return said.filter(({ key }) => !given.has(key))
}

function sentencesOfText(text: string, field: AdvisedField, checkId: number | null): readonly RuleSentence[] {
  return new Reading(text.slice(0, READ_SO_FAR)).sentences.flatMap(({ start, end, text: sentence }) =>
    sentence.split(/\s+/).length < LEAST_WORDS || USUAL.test(sentence)
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
