import { setImmediate as nextTurn } from 'node:timers/promises'
import { append } from '../../platform/append.ts'
import { LEGACY } from '../benchmarks/shape.ts'
import type { Rule } from '../xccdf/benchmark.ts'

/** By what two rules of different releases were found to be the same. */
export const MATCHES = ['rule_id', 'legacy_id', 'stig_id', 'srg_id', 'text'] as const

export interface Match {
  readonly before: Rule
  readonly after: Rule
  readonly by: (typeof MATCHES)[number]
}

/** Below this share of common words, two rules are not taken for the same. */
const LEAST_ALIKE = 0.5
/** Pairs of rules that are compared word by word; beyond, only identifiers count. */
const MAX_PAIRS = 250_000
const WORDS = 200

/**
 * Pairs the rules of two releases: by rule id without its revision, then by legacy ids, by STIG id, by
 * the requirement, each where it names one rule on either side, and what is left by its words.
 */
export async function matchRules(
  before: readonly Rule[],
  after: readonly Rule[],
): Promise<readonly Match[]> {
  const open = { before: new Set(before), after: new Set(after) }
  const matches: Match[] = []
  const pair = (match: Match): void => {
    open.before.delete(match.before)
    open.after.delete(match.after)
    matches.push(match)
  }
  for (const [by, keysOf] of KEYS)
    for (const [one, other] of byKeys(open, keysOf)) pair({ before: one, after: other, by })
  for (const [one, other] of await byText(open)) pair({ before: one, after: other, by: 'text' })
  return matches
}

type Open = Readonly<Record<'before' | 'after', ReadonlySet<Rule>>>
type Pair = readonly [before: Rule, after: Rule]

const KEYS: readonly (readonly [
  Exclude<Match['by'], 'text'>,
  (rule: Rule) => readonly string[],
])[] = [
  ['rule_id', (rule) => [withoutRevision(rule.ruleId)]],
  ['legacy_id', legacyKeys],
  ['stig_id', ({ version }) => (version === null ? [] : [version])],
  ['srg_id', ({ groupTitle }) => (groupTitle === null ? [] : [groupTitle])],
]

/** `SV-257777r991589_rule` and `xccdf_mil.disa.stig_rule_SV-257777r1_rule` → `SV-257777`. */
export function withoutRevision(ruleId: string): string {
  return ruleId.replace(/^xccdf_[^_]+_rule_/, '').replace(/(?:r\d+)?_(?:rule|dep)$/, '')
}

/** Ids that one release has of its own and a later one repeats as those of before. */
function legacyKeys({ ruleId, groupId, idents }: Rule): readonly string[] {
  const legacy = idents.filter(({ system }) => system === LEGACY).map(({ value }) => value)
  return [...new Set([...legacy, withoutRevision(ruleId), ...(groupId === null ? [] : [groupId])])]
}

/** Pairs that share a key which nobody else has on their side. */
function byKeys(open: Open, keysOf: (rule: Rule) => readonly string[]): readonly Pair[] {
  const before = index(open.before, keysOf)
  const after = index(open.after, keysOf)
  const taken = new Set<Rule>()
  const pairs: Pair[] = []
  for (const [key, [one, ...others]] of before) {
    const [other, ...rest] = after.get(key) ?? []
    if (one === undefined || other === undefined || others.length + rest.length > 0) continue
    if (taken.has(one) || taken.has(other)) continue
    taken.add(one).add(other)
    pairs.push([one, other])
  }
  return pairs
}

function index(
  rules: ReadonlySet<Rule>,
  keysOf: (rule: Rule) => readonly string[],
): ReadonlyMap<string, readonly Rule[]> {
  const found = new Map<string, Rule[]>()
  for (const rule of rules) for (const key of keysOf(rule)) append(found, key, rule)
  return found
}

/** The most alike first; others are answered in between. */
async function byText(open: Open): Promise<readonly Pair[]> {
  if (open.before.size * open.after.size > MAX_PAIRS) return []
  const after = [...open.after].map((rule) => ({ rule, words: wordsOf(rule) }))
  const alike: { readonly pair: Pair; readonly share: number }[] = []
  for (const one of open.before) {
    const words = wordsOf(one)
    for (const other of after) {
      const share = shareOf(words, other.words)
      if (share >= LEAST_ALIKE) alike.push({ pair: [one, other.rule], share })
    }
    await nextTurn()
  }
  const taken = new Set<Rule>()
  return alike
    .sort((a, b) => b.share - a.share)
    .map(({ pair }) => pair)
    .filter(([one, other]) => {
      if (taken.has(one) || taken.has(other)) return false
      taken.add(one).add(other)
      return true
    })
}

function wordsOf({ title, discussion, checks }: Rule): ReadonlySet<string> {
  const text = [title, discussion.vulnDiscussion, checks[0]?.content].join(' ').slice(0, 5000)
  return new Set((text.toLowerCase().match(/[\p{L}\p{Nd}]{3,}/gu) ?? []).slice(0, WORDS))
}

/** Dice's coefficient, 0 to 1. */
function shareOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size + b.size === 0) return 0
  let common = 0
  for (const word of a) if (b.has(word)) common += 1
  return (2 * common) / (a.size + b.size)
}
