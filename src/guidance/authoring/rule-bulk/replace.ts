import { z } from 'zod'
import { notFound } from '../../../http/input.ts'
import { refuseValues } from '../../../http/toast.ts'
import { SEARCHED_TEXTS, type SearchedText } from '../../../tables/field-lists.ts'
import { auditSchema } from '../../activity/audits/reader.ts'
import type { Reader, Writer } from '../../database/transaction.ts'
import { findAllRules } from '../components/portions.ts'
import { writeSummary } from '../rule-locks/audit.ts'
import type { ChangeContext } from '../rule-locks/locking.ts'
import type { AuthoredRule } from '../rules/reader.ts'
import { applyEdits, editsOf, wholeEdit } from './excerpt.ts'
import { storeTexts } from './rewrite.ts'
import {
  unchangedTextOf,
  matcher,
  separateUnchanged,
  textsOf,
  type UnchangedText,
  type RewrittenText,
  type RewrittenRule,
} from './texts.ts'

const NOT_REPLACED = 'Could not replace.'

export interface Replacement {
  readonly find: string
  readonly replace: string
  readonly fields: readonly SearchedText[]
  readonly caseSensitive: boolean
  readonly wholeWords: boolean
  /** Null means all rules of the component. */
  readonly ruleIds: readonly number[] | null
  /** The matches to replace, as a preview showed them; null means all. */
  readonly choices: readonly ChosenRule[] | null
}

/** The matches of a rule that the caller chose. */
export interface ChosenRule {
  readonly rule_id: number
  /** The version of the rule in the preview. If the rule has another version now, none of them is replaced. */
  readonly lock_version: number
  readonly texts: readonly ChosenText[]
}

interface ChosenText {
  readonly field: SearchedText
  readonly check_id: number | null
  /** The indices of the matches in the text. */
  readonly at: readonly number[]
}

/** The result of a replacement, or of a preview. */
export interface ReplaceOutcome {
  readonly rewritten: readonly RewrittenRule[]
  readonly unchanged: readonly UnchangedText[]
}

/** Finds what would be replaced. Ids of rules outside the component are 422. */
export async function planReplacement(
  reader: Reader,
  componentId: number,
  replacement: Replacement,
): Promise<ReplaceOutcome> {
  const rules = await findAllRules(reader, componentId)
  const { choices } = replacement
  const rewritten = rewrite(selectRules(rules, replacement.ruleIds), replacement)
  if (choices === null) return separateUnchanged(rewritten)
  selectRules(
    rules,
    choices.map(({ rule_id }) => rule_id),
  )
  const { current, outdated } = applyChoices(rewritten, choices)
  const { rewritten: writable, unchanged } = separateUnchanged(current)
  return { rewritten: writable, unchanged: [...outdated, ...unchanged] }
}

/** Chooses the edits of each rule. Rules that have changed since the preview are outdated. */
function applyChoices(
  rules: readonly RewrittenRule[],
  choices: readonly ChosenRule[],
): { readonly current: readonly RewrittenRule[]; readonly outdated: readonly UnchangedText[] } {
  const chosen = new Map(choices.map((choice) => [choice.rule_id, choice]))
  const current: RewrittenRule[] = []
  const outdated: UnchangedText[] = []
  for (const { rule, texts } of rules) {
    const choice = chosen.get(rule.id)
    if (choice === undefined) continue
    const chosenTexts = texts.flatMap((text) => chosenEdits(text, choice))
    if (rule.lock_version !== choice.lock_version)
      outdated.push(...chosenTexts.map((text) => unchangedTextOf(rule, text, 'edited_since')))
    else if (chosenTexts.length > 0) current.push({ rule, texts: chosenTexts })
  }
  return { current, outdated }
}

function chosenEdits(rewriting: RewrittenText, { texts }: ChosenRule): readonly RewrittenText[] {
  const choice = texts.find(({ field, check_id }) => field === rewriting.field && check_id === rewriting.checkId)
  const positions = new Set(choice?.at)
  const edits = rewriting.edits.filter(({ from }) => positions.has(from))
  return edits.length === 0 ? [] : [{ ...rewriting, edits, after: applyEdits(rewriting.text, edits) }]
}

/** The rules with these ids, or all. */
export function selectRules(
  rules: readonly AuthoredRule[],
  ids: readonly number[] | null,
  failure = NOT_REPLACED,
): readonly AuthoredRule[] {
  if (ids === null) return rules
  const requestedIds = new Set(ids)
  const selected = rules.filter(({ id }) => requestedIds.has(id))
  if (selected.length === requestedIds.size) return selected
  const knownIds = new Set(rules.map(({ id }) => id))
  const unknown = [...requestedIds].filter((id) => !knownIds.has(id))
  const message = `The component has no rule with the id ${unknown.join(', ')}`
  throw refuseValues(failure, [{ field: 'rule_ids', message }])
}

function rewrite(
  rules: readonly AuthoredRule[],
  { find, replace, fields, ...options }: Replacement,
): readonly RewrittenRule[] {
  const pattern = matcher(find, options)
  const searchedFields = SEARCHED_TEXTS.filter((field) => fields.includes(field))
  return rules.flatMap((rule) => {
    const texts = textsOf(rule, searchedFields).flatMap((text) => {
      const edits = editsOf(text.text, pattern, replace)
      return edits.length === 0 ? [] : [{ ...text, edits, after: applyEdits(text.text, edits) }]
    })
    return texts.length === 0 ? [] : [{ rule, texts }]
  })
}

/**
 * Replaces a text in the rules of a component, in one transaction. Skips locked rules and sections. Returns the number
 * of the replacement, by which it can be undone. 422 if nothing can be replaced. The component must be locked.
 */
export async function applyReplacement(
  writer: Writer,
  componentId: number,
  { context, ...replacement }: Replacement & { readonly context: ChangeContext },
): Promise<ReplaceOutcome & { readonly id: number }> {
  const outcome = await planReplacement(writer, componentId, replacement)
  if (outcome.rewritten.length === 0) throw nothingDone('There is nothing to replace', outcome)
  const { find, replace } = replacement
  const summary = `Replaced a text in ${outcome.rewritten.length} rules.`
  const id = await store(writer, componentId, { outcome, context, summary, after: { find, replace } })
  return { ...outcome, id }
}

interface ReplacementToStore {
  readonly outcome: ReplaceOutcome
  readonly context: ChangeContext
  readonly summary: string
  readonly after: Readonly<Record<string, string>>
}

/** Stores the ids of the rules' audit entries in the component's entry, for undo. */
async function store(
  writer: Writer,
  componentId: number,
  { outcome, context, summary, after }: ReplacementToStore,
): Promise<number> {
  const audits = await storeTexts(writer, outcome.rewritten, context)
  const comment = context.comment === null ? summary : `${summary} ${context.comment}`
  return writeSummary(writer, context.caller, { componentId, comment, after: { ...after, audits: audits.map(String) } })
}

function nothingDone(reason: string, { unchanged }: ReplaceOutcome): Error {
  const first = unchanged.slice(0, 20).map((text) => `${text.displayed_name}: ${text.message}`)
  return refuseValues(NOT_REPLACED, [
    { field: null, message: reason },
    ...[...new Set(first)].map((message) => ({ field: null, message })),
  ])
}

/**
 * Undoes a replacement, or an undo. Skips locked texts, and texts that have changed since. 404 if the component has no
 * such replacement. The component must be locked.
 */
export async function undoReplacement(
  writer: Writer,
  componentId: number,
  { replacementId, context }: { readonly replacementId: number; readonly context: ChangeContext },
): Promise<ReplaceOutcome & { readonly id: number }> {
  const entries = await findEntries(writer, componentId, replacementId)
  const componentRules = await findAllRules(writer, componentId)
  const rules = new Map(componentRules.map((rule) => [rule.id, rule]))
  const plans = entries.flatMap(({ auditable_id, changes }) => {
    const rule = rules.get(auditable_id)
    return rule === undefined ? [] : [planUndo(rule, changes)]
  })
  const sorted = separateUnchanged(plans.map(({ restored }) => restored).filter(({ texts }) => texts.length > 0))
  const outcome = {
    rewritten: sorted.rewritten,
    unchanged: [...plans.flatMap(({ changed }) => changed), ...sorted.unchanged],
  }
  if (outcome.rewritten.length === 0) throw nothingDone('There is nothing to undo', outcome)
  const summary = `Undid a replacement in ${outcome.rewritten.length} rules.`
  const after = { undoes: String(replacementId) }
  return { ...outcome, id: await store(writer, componentId, { outcome, context, summary, after }) }
}

const changeList = auditSchema.shape.audited_changes
type AuditedChanges = z.output<typeof changeList>

interface AuditEntry {
  readonly auditable_id: number
  readonly changes: AuditedChanges
}

/** The audit entries of the rules that a replacement changed. */
async function findEntries(writer: Writer, componentId: number, replacementId: number): Promise<readonly AuditEntry[]> {
  const summary = await writer
    .selectFrom('audits')
    .select('changes')
    .where('id', '=', replacementId)
    .where('auditable_type', '=', 'Component')
    .where('auditable_id', '=', componentId)
    .where('action', '=', 'custom')
    .executeTakeFirst()
  const changes = changeList.parse(JSON.parse(summary?.changes ?? '[]'))
  const audits = changes.find(({ field }) => field === 'audits')?.new_value
  if (audits === undefined) throw notFound()
  const ids = z.array(z.string().transform(Number)).parse(audits)
  const rows = await writer
    .selectFrom('audits')
    .select(['auditable_id', 'changes'])
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()
  return rows.map(({ auditable_id, changes }) => ({
    auditable_id,
    changes: changeList.parse(JSON.parse(changes)),
  }))
}

interface UndoPlan {
  readonly restored: RewrittenRule
  /** Texts that have changed since the replacement. */
  readonly changed: readonly UnchangedText[]
}

function planUndo(rule: AuthoredRule, changes: AuditedChanges): UndoPlan {
  const texts: RewrittenText[] = []
  const changed: UnchangedText[] = []
  for (const { field: key, prev_value, new_value } of changes) {
    const { field, checkId, text } = currentTextOf(rule, key)
    const current = { field, checkId, text: text ?? '' }
    const after = textIn(prev_value)
    if (text !== null && text === textIn(new_value)) texts.push({ ...current, edits: [wholeEdit(text, after)], after })
    else changed.push(unchangedTextOf(rule, current, 'edited_since'))
  }
  return { restored: { rule, texts }, changed }
}

interface CurrentText {
  readonly field: SearchedText
  readonly checkId: number | null
  /** Null if the check was removed. */
  readonly text: string | null
}

/** Finds the current text of an audited field. */
function currentTextOf(rule: AuthoredRule, key: string): CurrentText {
  const checkId = Number(key.split('.')[1])
  const field = SEARCHED_TEXTS.find((name) => name === key)
  if (field !== undefined && field !== 'check_content') return { field, checkId: null, text: rule[field] }
  const check = rule.checks.find(({ id }) => id === checkId)
  return { field: 'check_content', checkId, text: check?.content ?? null }
}

const withContent = z.object({ content: z.string() })

/** The text of a field or of a check. */
function textIn(value: unknown): string {
  return typeof value === 'string' ? value : withContent.parse(value).content
}
