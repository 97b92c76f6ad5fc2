import { wordsOf } from '../../catalogue/words-of.ts'
import type { FieldChange } from '../../parts/compare/changes.ts'

/** The fields of a preview that the page reads. The query checks that they match the API. */
export interface Preview {
  readonly rules: readonly PreviewedRule[]
  readonly added: readonly AddedRequirement[]
}

export type RuleDecision = 'keep' | 'take' | 'remove'

interface PreviewedRule {
  readonly id: number
  readonly rule_id: string
  readonly title: string
  readonly status: string
  readonly requirement: string | null
  readonly requirement_changes: readonly FieldChange[]
  readonly text_changes: readonly FieldChange[]
  readonly other_changes: readonly FieldChange[]
  readonly choices: readonly RuleDecision[]
}

interface AddedRequirement {
  readonly id: number
  readonly requirement: string | null
  readonly title: string
  readonly texts: readonly FieldChange[]
}

/** In the order in which they are listed. */
export const KINDS = ['changed', 'new', 'gone', 'written'] as const
export type Kind = (typeof KINDS)[number]

export const KIND_NAMES: Readonly<Record<Kind, string>> = {
  changed: '~ changed in the SRG',
  gone: '− gone from the SRG',
  new: '+ new in the SRG',
  written: '= unchanged in the SRG, otherwise written here',
}

/** The choices for rules and for new requirements. */
export type Choice = RuleDecision | 'add' | 'leave out'

export const CHOICE_NAMES: Readonly<Record<Choice, string>> = {
  keep: 'Keep what the rule says',
  take: 'Take the texts of the SRG',
  remove: 'Remove the rule',
  add: 'Make it a rule',
  'leave out': 'Leave it out',
}

export const DONE_NAMES: Readonly<Record<Choice, string>> = {
  keep: 'keeps its texts',
  take: 'takes the texts of the SRG',
  remove: 'is removed',
  add: 'becomes a rule',
  'leave out': 'is left out',
}

/** A rule or a new requirement with its choices; the first one is the default. */
export interface Item {
  readonly key: string
  readonly id: number
  readonly kind: Kind
  /** Name of the rule; null for a new one. */
  readonly name: string | null
  readonly requirement: string | null
  readonly title: string
  readonly status: string | null
  readonly inSrg: readonly FieldChange[]
  readonly inRule: readonly FieldChange[]
  readonly anyway: readonly FieldChange[]
  readonly choices: readonly Choice[]
}

export function itemsOf({ rules, added }: Preview): readonly Item[] {
  const items: readonly Item[] = [
    ...rules.map((rule) => ({
      key: `rule ${rule.id}`,
      id: rule.id,
      kind: kindOf(rule),
      name: rule.rule_id,
      requirement: rule.requirement,
      title: rule.title,
      status: rule.status,
      inSrg: rule.requirement_changes,
      inRule: rule.text_changes,
      anyway: rule.other_changes,
      choices: rule.choices,
    })),
    ...added.map((requirement) => ({
      key: `new ${requirement.id}`,
      id: requirement.id,
      kind: 'new' as const,
      name: null,
      status: null,
      requirement: requirement.requirement,
      title: requirement.title,
      inSrg: requirement.texts,
      inRule: [],
      anyway: [],
      choices: ['add', 'leave out'] as const,
    })),
  ]
  return items.toSorted((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))
}

function kindOf({ choices, requirement_changes }: PreviewedRule): Kind {
  if (choices.includes('remove')) return 'gone'
  return requirement_changes.length > 0 ? 'changed' : 'written'
}

/** Decisions that differ from the default, by the keys of the items. */
export type Decisions = ReadonlyMap<string, Choice>

export function choiceOf(item: Item, decisions: Decisions): Choice {
  const decided = decisions.get(item.key)
  const [usual = 'keep'] = item.choices
  return decided !== undefined && item.choices.includes(decided) ? decided : usual
}

/** Decides many items: keep the component as it is, or follow the SRG. */
export function decideAll(items: readonly Item[], side: 'ours' | 'theirs'): readonly (readonly [string, Choice])[] {
  const ours: readonly Choice[] = ['keep', 'leave out']
  return items.flatMap(({ key, choices }) => {
    const choice = choices.find((offered) => ours.includes(offered) === (side === 'ours'))
    return choice === undefined ? [] : [[key, choice] as const]
  })
}

export function countChoices(items: readonly Item[], decisions: Decisions): Readonly<Record<Choice, number>> {
  const counts = { keep: 0, take: 0, remove: 0, add: 0, 'leave out': 0 }
  for (const item of items) counts[choiceOf(item, decisions)] += 1
  return counts
}

interface Rebase {
  readonly rules: Record<string, RuleDecision>
  readonly leave_out: number[]
}

/** The request to the API. It has all shown decisions, so that changes in the meantime do not matter. */
export function rebaseOf(items: readonly Item[], decisions: Decisions): Rebase {
  const rules: Record<string, RuleDecision> = {}
  const leave_out: number[] = []
  for (const item of items) {
    const choice = choiceOf(item, decisions)
    if (choice === 'leave out') leave_out.push(item.id)
    else if (choice !== 'add') rules[item.id] = choice
  }
  return { rules, leave_out }
}

interface DecisionFilter {
  /** Empty: all of them. */
  readonly kind: string
  readonly text: string
}

export function matchingItems(items: readonly Item[], { kind, text }: DecisionFilter): readonly Item[] {
  const words = wordsOf(text)
  return items
    .filter((item) => kind === '' || item.kind === kind)
    .filter((item) => {
      if (words.length === 0) return true
      const written = writtenOf(item)
      return words.every((word) => written.includes(word))
    })
}

function writtenOf({ name, requirement, title, status, inSrg, inRule }: Item): string {
  const texts = [...inSrg, ...inRule].flatMap(({ before, after }) => [before, after])
  return [name, requirement, title, status, ...texts].join('\n').toLowerCase()
}

interface MadeRule {
  readonly id: number
  readonly displayed_name: string
  /** Its number within the component. */
  readonly rule_id: string
  readonly version: string | null
}

export interface DoneItem extends Pick<Item, 'key' | 'name' | 'requirement' | 'title'> {
  readonly choice: Choice
  /** The rule of the copy; null if there is none. */
  readonly rule: string | null
}

/** Lists the changes with the rules of the copy. Rules keep their numbers; new rules have new ones. */
export function madeItems(
  items: readonly Item[],
  decisions: Decisions,
  made: readonly MadeRule[],
): readonly DoneItem[] {
  const byNumber = new Map(made.map((rule) => [rule.rule_id, rule]))
  const oldNumbers = new Set(items.flatMap(({ name }) => numberOf(name) ?? []))
  const newRules = made
    .filter(({ rule_id }) => !oldNumbers.has(rule_id))
    .toSorted((a, b) => b.rule_id.localeCompare(a.rule_id))
  return items.map((item) => {
    const choice = choiceOf(item, decisions)
    const number = numberOf(item.name)
    const rule = number === null ? newRules.find(({ version }) => version === item.requirement) : byNumber.get(number)
    const isThere = choice !== 'remove' && choice !== 'leave out'
    const { key, name, requirement, title } = item
    const ruleName = isThere ? (rule?.displayed_name ?? null) : null
    return { key, name, requirement, title, choice, rule: ruleName }
  })
}

/** `000012` of `PNGN-01-000012`. */
function numberOf(name: string | null): string | null {
  return name?.split('-').at(-1) ?? null
}
