import { z } from 'zod'
import { Pauses } from '../../../platform/concurrency/turns.ts'
import { recordOf } from '../../../platform/records.ts'
import { RULE_STATUSES } from '../../../tables/statuses.ts'
import {
  CATALOGUE_FIELDS,
  changesBetween,
  joinTexts,
  type ComparedFields,
  type FieldChange,
} from '../../catalogue/benchmark-diff/compare.ts'
import type { StoredRule } from '../../catalogue/benchmarks/reader.ts'
import { identOf } from '../../catalogue/benchmarks/shape.ts'
import { displayedName } from '../../database/rule-names.ts'
import type { BenchmarkKind } from '../../database/schema/benchmarks.ts'
import type { Reader } from '../../database/transaction.ts'
import { findAllRules } from '../components/portions.ts'
import { requireRecord } from '../components/reader.ts'
import { DOCUMENT_TYPES } from '../components/schemas.ts'
import type { AuthoredRule } from '../rules/reader.ts'
import { FATES, CONFIGURABLE, planRebase, type PlannedRule } from './plan.ts'
import { requirementTexts, TEXTS, type ComparedTexts } from './requirement-texts.ts'

const text = z.string().nullable()
const changes = z.array(z.object({ field: z.string(), before: text, after: text }))
const srg = z.object({ id: z.int(), srg_id: z.string(), title: z.string(), version: z.string() })

export const rebasePreview = z.object({
  document_type: z.enum(DOCUMENT_TYPES),
  from: srg,
  to: srg,
  unchanged: z.int().meta({ description: 'Number of rules that do not change; they are not listed' }),
  rules: z.array(
    z.object({
      id: z.int().meta({ description: 'The number of the rule, for a decision' }),
      rule_id: z.string(),
      title: z.string(),
      status: z.enum(RULE_STATUSES),
      requirement: text,
      requirement_changes: changes.meta({ description: 'Changes in the SRG' }),
      text_changes: changes.meta({ description: 'Changes if the texts of the SRG are taken' }),
      other_changes: changes.meta({ description: 'Changes with any decision' }),
      choices: z.array(z.enum(FATES)).meta({ description: 'Possible decisions; the first applies if none is given' }),
    }),
  ),
  added: z.array(
    z.object({
      id: z.int().meta({ description: 'The number of the requirement, for leave_out' }),
      requirement: text,
      title: z.string(),
      texts: changes,
    }),
  ),
})

export type RebasePreview = z.infer<typeof rebasePreview>
type PreviewedRule = RebasePreview['rules'][number]

/** Authors read these fields of a requirement when they write its rule. */
const SHOWN_FIELDS = ['title', 'vuln_discussion', 'check_content', 'fixtext', 'rule_severity', 'ident']
const OF_SRG = Object.fromEntries(Object.entries(CATALOGUE_FIELDS).filter(([field]) => SHOWN_FIELDS.includes(field)))

interface ComparedAttributes {
  readonly rule_severity: string | null
  readonly rule_weight: string | null
  readonly ident: string | null
}

const OTHER_FIELDS: ComparedFields<ComparedAttributes> = recordOf(
  ['rule_severity', 'rule_weight', 'ident'] as const,
  (field) => (side: ComparedAttributes) => side[field],
)

/** Previews, rule by rule, how a component would be based on another SRG. Changes nothing. */
export async function previewRebase(
  reader: Reader,
  { componentId, srgId }: { readonly componentId: number; readonly srgId: number },
): Promise<RebasePreview> {
  const record = await requireRecord(reader, componentId)
  const { document_type: kind, security_requirements_guide_id: before } = record
  const plan = await planRebase(reader, { componentId, kind, before, after: srgId })
  const { from, to } = plan
  const rows = new Map([...from.rules, ...to.rules].map((rule) => [rule.id, rule]))
  const rules = new Map((await findAllRules(reader, componentId)).map((rule) => [rule.id, rule]))
  const previewed: PreviewedRule[] = []
  const pauses = new Pauses()
  for (const planned of plan.rules) {
    const rule = rules.get(planned.id)
    if (rule !== undefined) previewed.push(describeRule(rule, planned, rows))
    await pauses.rest()
  }
  const shownRules = previewed.filter((rule) => needsAttention(rule, kind))
  return {
    document_type: kind,
    from: shapeSide(from),
    to: shapeSide(to),
    unchanged: previewed.length - shownRules.length,
    rules: shownRules,
    added: plan.added.flatMap((id) => rows.get(id) ?? []).map(shapeAddedRequirement),
  }
}

function shapeSide({ id, benchmarkId: srg_id, title, version }: SrgHead): RebasePreview['from'] {
  return { id, srg_id, title, version }
}

interface SrgHead {
  readonly id: number
  readonly benchmarkId: string
  readonly title: string
  readonly version: string
}

function describeRule(
  rule: AuthoredRule,
  { before, after, choices }: PlannedRule,
  rows: ReadonlyMap<number, StoredRule>,
): PreviewedRule {
  const [old, newer] = [rows.get(before ?? 0), rows.get(after ?? 0)]
  const { id, title, status, prefix, number, version } = rule
  const otherChanges =
    newer === undefined ? [] : changesBetween(OTHER_FIELDS, { before: rule, after: newAttributes(rule, newer, old) })
  const texts = newer === undefined ? [] : textChanges(rule, newer)
  const isSrg = rule.document_type === 'srg'
  return {
    id,
    rule_id: displayedName(prefix, number),
    title,
    status,
    requirement: version,
    requirement_changes:
      old === undefined || newer === undefined ? [] : changesBetween(OF_SRG, { before: old, after: newer }),
    text_changes: isSrg ? [...texts, ...otherChanges] : texts,
    other_changes: isSrg ? [] : otherChanges,
    choices: [...choices],
  }
}

/** The values that a rule would get. A severity that its author has changed stays. */
function newAttributes(
  { rule_severity: ruleSeverity }: AuthoredRule,
  newer: StoredRule,
  old: StoredRule | undefined,
): ComparedAttributes {
  const isOverridden = old !== undefined && ruleSeverity !== old.severity
  return {
    rule_severity: isOverridden ? ruleSeverity : newer.severity,
    rule_weight: newer.weight,
    ident: identOf(newer),
  }
}

function textChanges(rule: AuthoredRule, newer: StoredRule): FieldChange[] {
  const before = {
    ...textsOf(rule),
    check_content: joinTexts(rule.checks.map(({ content }) => content)),
  }
  return changesBetween(TEXTS, { before, after: requirementTexts(newer) })
}

function textsOf({ title, vuln_discussion, fixtext }: AuthoredRule): Omit<ComparedTexts, 'check_content'> {
  return { title, vuln_discussion, fixtext }
}

/** Whether there is something to decide, or something changes without a decision. */
function needsAttention({ choices, ...rule }: PreviewedRule, kind: BenchmarkKind): boolean {
  if (choices.length === 0) return false
  if (choices.includes('remove')) return true
  const isOpen = kind === 'stig' && rule.status !== CONFIGURABLE && rule.text_changes.length > 0
  return isOpen || rule.requirement_changes.length + rule.other_changes.length > 0
}

const NO_TEXTS: ComparedTexts = { title: '', vuln_discussion: null, check_content: null, fixtext: null }

function shapeAddedRequirement(rule: StoredRule): RebasePreview['added'][number] {
  const { id, version: requirement, title } = rule
  return { id, requirement, title, texts: changesBetween(TEXTS, { before: NO_TEXTS, after: requirementTexts(rule) }) }
}
