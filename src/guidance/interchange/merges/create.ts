import type { Upload } from '../../../http/upload.ts'
import { Pauses } from '../../../platform/concurrency/turns.ts'
import type { ComponentGrant } from '../../authoring/access/component-access.ts'
import { joinChecks } from '../../authoring/rules/join-checks.ts'
import type { AuthoredRule } from '../../authoring/rules/reader.ts'
import { limitOf } from '../../authoring/rules/text-limits.ts'
import { groupDigits } from '../../catalogue/files/limits.ts'
import type { Database } from '../../database/database.ts'
import { displayedName } from '../../database/rule-names.ts'
import { nameSome } from '../../parts/name-some.ts'
import { stateOf, type RuleState } from '../exports/component/snapshot.ts'
import type { SheetEncoding } from '../spreadsheets/reading/encoding.ts'
import { MAX_WARNINGS } from '../spreadsheets/reading/limits.ts'
import { findComponentRules } from '../spreadsheets/updating/component-rules.ts'
import type { ExportContext } from './planning/exported-forms.ts'
import { findBase, type Base } from './planning/find-base.ts'
import { matchRules, titleOf, type MatchResult } from './planning/match-rules.ts'
import { planRule, type PlannedField, type RulePlan } from './planning/plan.ts'
import { withoutReplacedCode } from './planning/replaced-controls.ts'
import type { MergeFile } from './reading/merge-file.ts'
import { readMergeFile } from './reading/read-merge-file.ts'
import { notMergeable } from './reading/refusals.ts'
import type { MergeNotes } from './schemas.ts'
import { storePlan } from './storing/store.ts'

interface NewMerge {
  readonly grant: ComponentGrant
  readonly upload: Upload
  /** The digest or the time that the caller chose as base. */
  readonly base: string | null
  /** The encoding of a CSV file. Null takes the one that its bytes show. */
  readonly encoding: SheetEncoding | null
}

/**
 * Plans the merge of a file into a component, stores the plan, and returns its number. Refuses unreadable files, files
 * of other components, texts that are too long, and an unknown base.
 */
export async function createMerge(database: Database, request: NewMerge): Promise<number> {
  const { grant, upload, base: chosen, encoding } = request
  const { caller, componentId } = grant
  const component = await database.read
    .selectFrom('components')
    .select(['name', 'prefix', 'document_type', 'created_at'])
    .where('id', '=', componentId)
    .executeTakeFirstOrThrow()
  const file = await readMergeFile(upload, { caller, component, encoding })
  const { rules, parents } = await findComponentRules(database.read, componentId)
  const read = matchRules(rules, file.rules)
  const { match, warnings } = file.form === 'profile' ? withoutReplacedCode(read) : { match: read, warnings: [] }
  if (match.matched.length === 0) throw noMatch(match)
  const now = await statesOf(rules)
  const contexts = contextsOf(rules, { parents, form: file.form })
  const contextOf = (ruleId: number): ExportContext => contexts.get(ruleId) ?? { form: file.form, satisfiedBy: null }
  const base = await findBase(database.read, {
    componentId,
    createdAt: component.created_at,
    now,
    snapshots: file.snapshots,
    chosen,
    fileRule: new Map(match.matched.map(({ rule, fileRule }) => [rule.id, fileRule])),
    contextOf,
  })
  const planned = await planAll(match, { base, now, contextOf })
  return storePlan(database, {
    columns: {
      component_id: componentId,
      user_id: caller.id,
      file_name: upload.fileName,
      format: file.format,
      base_source: base.source,
      base_until: base.until,
      unchanged: planned.reduce((sum, { plan }) => sum + plan.unchanged, 0),
      notes: JSON.stringify(notesOf(match, { file, base, planned, warnings })),
    },
    rules: planned,
  })
}

type Match = MatchResult<AuthoredRule>

function noMatch({ unmatched }: Match): Error {
  const ids = unmatched.map(({ fileRule: { place, stigId, srgId } }) => `${stigId || srgId || 'no id'} (${place})`)
  const content = ids.length === 0 ? 'It has no rules.' : `It has ${nameSome(ids)}.`
  return notMergeable(`No rule of the file is a rule of this component. ${content}`)
}

async function statesOf(rules: readonly AuthoredRule[]): Promise<ReadonlyMap<number, RuleState>> {
  const states = new Map<number, RuleState>()
  const pauses = new Pauses()
  for (const rule of rules) {
    states.set(rule.id, stateOf(rule))
    await pauses.rest()
  }
  return states
}

/** Exports of a satisfied rule contain the texts of the satisfying rule. */
function contextsOf(
  rules: readonly AuthoredRule[],
  { parents, form }: { readonly parents: readonly AuthoredRule[]; readonly form: ExportContext['form'] },
): ReadonlyMap<number, ExportContext> {
  const byId = new Map([...parents, ...rules].map((rule) => [rule.id, rule]))
  return new Map(
    rules.map(({ id, satisfiedBy: [link] }) => {
      const parent = byId.get(link?.id ?? 0)
      const check = parent === undefined ? null : joinChecks(parent)
      return [id, { form, satisfiedBy: link === undefined ? null : { check, fix: link.fixtext } }]
    }),
  )
}

interface PlannedRule {
  readonly ruleId: number
  readonly plan: RulePlan
}

async function planAll(
  { matched }: Match,
  {
    base,
    now,
    contextOf,
  }: {
    readonly base: Base
    readonly now: ReadonlyMap<number, RuleState>
    readonly contextOf: (ruleId: number) => ExportContext
  },
): Promise<readonly PlannedRule[]> {
  const planned: PlannedRule[] = []
  const pauses = new Pauses()
  for (const { rule, fileRule } of matched) {
    const ours = now.get(rule.id) ?? stateOf(rule)
    const plan = planRule({ base: base.states.get(rule.id) ?? null, ours, fileRule, context: contextOf(rule.id) })
    for (const field of plan.fields) requireShort(field, fileRule.place)
    planned.push({ ruleId: rule.id, plan })
    await pauses.rest()
  }
  return planned
}

function requireShort({ field, ours, base, theirs: theirValue }: PlannedField, place: string): void {
  if (typeof theirValue !== 'string' || theirValue === ours || theirValue === base) return
  const max = limitOf(field === 'check_content' ? 'checks_attributes' : field)
  if (theirValue.length > max)
    throw notMergeable(`${place}: ${field} is longer than the limit of ${groupDigits(max)} characters.`)
}

function notesOf(
  { matched, unmatched, missing }: Match,
  {
    file,
    base,
    planned,
    warnings: replacedWarnings,
  }: {
    readonly file: MergeFile
    readonly base: Base
    readonly planned: readonly PlannedRule[]
    readonly warnings: readonly string[]
  },
): MergeNotes {
  const baseNotFound =
    'The history does not have the state that the file was exported from. The most similar one was taken.'
  const warnings = [
    ...(file.snapshots.length > 0 && base.source === 'history' ? [baseNotFound] : []),
    ...replacedWarnings,
    ...file.warnings,
  ]
  const name = ({ id, prefix, number, version }: AuthoredRule): MergeNotes['missing'][number] => ({
    rule_id: id,
    displayed_name: displayedName(prefix, number),
    srg_id: version,
  })
  return {
    rules: planned.length,
    unmatched: unmatched.map(({ reason, fileRule }) => {
      const { place, stigId, srgId, numbers } = fileRule
      return { place, reason, stig_id: stigId || (numbers?.[0] ?? ''), srg_id: srgId, title: titleOf(fileRule) }
    }),
    missing: missing.map(name),
    renumbered: matched
      .filter(({ isRenumbered }) => isRenumbered)
      .map(({ rule, fileRule }) => ({ ...name(rule), stig_id: fileRule.stigId })),
    warnings: warnings.slice(0, MAX_WARNINGS),
    encoding: file.encoding,
  }
}
