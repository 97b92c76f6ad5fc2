import { z } from 'zod'
import { notFound } from '../../../http/input.ts'
import { Pauses } from '../../../platform/concurrency/turns.ts'
import { recordOf } from '../../../platform/records.ts'
import { CHECK_CONTENT } from '../../../tables/check-fields.ts'
import { isRequired, REQUIRED_FIELDS } from '../../../tables/field-lists.ts'
import { displayedName, ruleIdOf } from '../../database/rule-names.ts'
import type { Reader } from '../../database/transaction.ts'
import { type Obstacle, obstaclesOf, type Releasable } from '../components/obstacles.ts'
import { findAllRules } from '../components/portions.ts'
import { triageCounts } from '../reviews/records/counts.ts'
import { cciFaultsOf, findListed } from '../rules/ccis.ts'
import { type AuthoredRule, ofComponent } from '../rules/reader.ts'
import { findRequirementCcis } from '../rules/sources.ts'
import { findNewerSrgs, type NewerSrg } from './newer-srgs.ts'

/** Messages about CCIs that an author should check. They do not prevent a release. */
const CCI_MESSAGES = {
  cci_unknown: 'The rule cites CCIs that the CCI list does not have.',
  cci_deprecated: 'The rule cites CCIs that the CCI list has deprecated or withdrawn.',
  cci_lost: 'The rule does not cite all CCIs of its requirement.',
} as const

interface CciItem {
  readonly code: keyof typeof CCI_MESSAGES
  readonly ruleId: number
  readonly ccis: readonly string[]
}

const REQUIREMENTS = [CHECK_CONTENT.required, ...REQUIRED_FIELDS.map(({ required }) => required)]

type MissingField = (typeof REQUIREMENTS)[number]['code']

/** A part that a rule lacks for its status. It does not prevent a release. */
type MissingPart = 'status_missing' | MissingField | 'changes_requested' | 'under_review'

const MISSING_FIELDS = REQUIREMENTS.map(({ code }) => code)

type ItemCode =
  | Obstacle['code']
  | MissingPart
  | 'comments_open'
  | 'newer_srg'
  | 'requirement_changed'
  | 'requirement_removed'
  | keyof typeof CCI_MESSAGES

const MESSAGES: Readonly<Record<ItemCode, string>> = {
  already_released: 'The component has been released.',
  rule_unlocked: 'The rule is not locked.',
  rule_undetermined: 'The requirement has no status yet.',
  version_missing: 'The component has no version.',
  release_missing: 'The component has no release number.',
  prefix_without_token: 'The prefix does not begin with letters. The final ids need them.',
  nothing_applicable: 'No requirement is Applicable.',
  status_missing: 'The rule has no status yet.',
  ...recordOf(MISSING_FIELDS, messageOf),
  changes_requested: 'A reviewer has asked for changes.',
  under_review: 'A review is pending.',
  comments_open: 'Comments are waiting for triage or adjudication.',
  newer_srg: 'There is a newer release of the SRG.',
  requirement_changed: 'The newer release of the SRG changes the requirement.',
  requirement_removed: 'The newer release of the SRG no longer has the requirement.',
  ...CCI_MESSAGES,
}

const item = z.object({
  code: z.enum(Object.keys(MESSAGES)),
  blocks: z.boolean().meta({ description: 'Whether this item prevents a release' }),
  message: z.string(),
  link: z.string().meta({ description: 'Path of the record to look at' }),
  rule: z.object({ id: z.int(), rule_id: z.string(), displayed_name: z.string() }).nullable(),
  fields: z
    .array(z.string())
    .meta({ description: 'For a changed requirement, the fields that differ; for CCIs, which they are' }),
})

type ReadinessItem = z.infer<typeof item>

export const readiness = z.object({
  component_id: z.int(),
  document_type: z.enum(['stig', 'srg']),
  released: z.boolean(),
  ready: z.boolean().meta({ description: 'Whether no item prevents a release' }),
  counts: z.record(z.string(), z.int()).meta({ description: 'Number of items by code' }),
  items: z.array(item),
  newer_srgs: z.array(
    z.object({
      id: z.int(),
      srg_id: z.string(),
      version: z.string(),
      current_id: z.int(),
      current_version: z.string(),
      added: z.array(z.string()).meta({ description: 'Ids of new requirements' }),
      changed_count: z.int(),
      removed_count: z.int(),
    }),
  ),
})

/** Finds everything that a release of the component lacks; what prevents the release comes first. */
export async function findReadiness(reader: Reader, componentId: number): Promise<z.infer<typeof readiness>> {
  const component = await findComponent(reader, componentId)
  const rules = await findAllRules(reader, componentId)
  const ccis = await findCciItems(reader, componentId, rules)
  const newer = await findNewerSrgs(reader, componentId)
  const { total, adjudicated } = await triageCounts(reader, { componentId })
  const makeItem = itemMaker(componentId, rules)
  const items = [
    ...obstaclesOf(component, rules).map(({ code, ruleId }) => makeItem(code, { ruleId, blocks: true })),
    ...rules.flatMap((rule) => missingPartsOf(rule).map((code) => makeItem(code, { ruleId: rule.id }))),
    ...ccis.map(({ code, ruleId, ccis: fields }) => makeItem(code, { ruleId, fields })),
    ...(total > adjudicated ? [makeItem('comments_open', { link: commentsOf(componentId) })] : []),
    ...newer.flatMap((srg) => newerItems(srg, { rules, makeItem })),
  ]
  return {
    component_id: componentId,
    document_type: component.document_type,
    released: component.released === 1,
    ready: !items.some(({ blocks }) => blocks),
    counts: countCodes(items),
    items,
    newer_srgs: newer.map(({ added, changed, removed, ...srg }) => ({
      ...srg,
      added: [...added],
      changed_count: changed.size,
      removed_count: removed.size,
    })),
  }
}

async function findComponent(reader: Reader, id: number): Promise<Releasable> {
  return reader
    .selectFrom('components')
    .select(['document_type', 'prefix', 'version', 'release', 'released'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => notFound())
}

interface ItemDetails {
  readonly ruleId?: number | null
  readonly blocks?: boolean
  readonly link?: string
  readonly fields?: readonly string[]
}

type MakeItem = (code: ItemCode, details: ItemDetails) => ReadinessItem

function itemMaker(componentId: number, rules: readonly AuthoredRule[]): MakeItem {
  const byId = new Map(rules.map((rule) => [rule.id, rule]))
  return (code, { ruleId = null, blocks = false, link, fields = [] }) => {
    const rule = ruleId === null ? undefined : byId.get(ruleId)
    const path = rule === undefined ? `/components/${componentId}` : `/rules/${rule.id}`
    return {
      code,
      blocks,
      message: MESSAGES[code],
      link: link ?? path,
      fields: [...fields],
      rule: rule === undefined ? null : nameRule(rule),
    }
  }
}

function nameRule({ id, number, prefix }: AuthoredRule): NonNullable<ReadinessItem['rule']> {
  return { id, rule_id: ruleIdOf(number), displayed_name: displayedName(prefix, number) }
}

function newerItems(
  srg: NewerSrg,
  { rules, makeItem }: { readonly rules: readonly AuthoredRule[]; readonly makeItem: MakeItem },
): readonly ReadinessItem[] {
  const ruleItems = rules.flatMap(({ id, srg_rule_id }) => {
    const fields = srg.changed.get(srg_rule_id ?? 0)
    if (fields !== undefined) return [makeItem('requirement_changed', { ruleId: id, fields })]
    return srg.removed.has(srg_rule_id ?? 0) ? [makeItem('requirement_removed', { ruleId: id })] : []
  })
  const link = `/api/srgs/${srg.id}/diff?from=${srg.current_id}`
  return [makeItem('newer_srg', { link }), ...ruleItems]
}

function commentsOf(componentId: number): string {
  return `/components/${componentId}/comments?triage_status=all&resolved=false`
}

function countCodes(items: readonly ReadinessItem[]): Record<string, number> {
  const counts = new Map<string, number>()
  for (const { code } of items) counts.set(code, (counts.get(code) ?? 0) + 1)
  return Object.fromEntries(counts)
}

function messageOf(code: MissingField): string {
  return REQUIREMENTS.find((requirement) => requirement.code === code)?.message ?? ''
}

/** Whether a text has more than blanks. */
function hasText(text: string | null): boolean {
  return text !== null && text.trim() !== ''
}

function findMissingTexts(rule: AuthoredRule): readonly MissingPart[] {
  const hasCheck = rule.checks.some(({ content }) => hasText(content))
  const fields = REQUIRED_FIELDS.filter((field) => isRequired(field, rule.status) && !hasText(rule[field.name]))
  return [
    ...(isRequired(CHECK_CONTENT, rule.status) && !hasCheck ? [CHECK_CONTENT.required.code] : []),
    ...fields.map(({ required }) => required.code),
  ]
}

/** Finds the parts that a reviewer would miss. A satisfied rule needs no texts of its own. */
function missingPartsOf(rule: AuthoredRule): readonly MissingPart[] {
  const missingParts: MissingPart[] = []
  if (rule.status === 'Not Yet Determined' && rule.document_type === 'stig') missingParts.push('status_missing')
  if (rule.satisfiedBy.length === 0) missingParts.push(...findMissingTexts(rule))
  if (rule.changes_requested === 1) missingParts.push('changes_requested')
  if (rule.review_requestor_id !== null) missingParts.push('under_review')
  return missingParts
}

/** Finds faults in the CCIs of a component's rules. Without a CCI list, it only compares them with the requirements. */
async function findCciItems(
  reader: Reader,
  componentId: number,
  rules: readonly AuthoredRule[],
): Promise<readonly CciItem[]> {
  const required = await findRequirementCcis(reader, ofComponent(componentId))
  const { listed: cciListing } = await findListed(reader, [
    ...rules.map(({ ident }) => ident),
    ...[...required.values()].flat(),
  ])
  const pauses = new Pauses()
  const items: CciItem[] = []
  for (const rule of rules) {
    const { unknown, deprecated, lost } = cciFaultsOf(rule, required.get(rule.srg_rule_id ?? 0) ?? [], cciListing)
    items.push(
      { code: 'cci_unknown', ruleId: rule.id, ccis: unknown },
      { code: 'cci_deprecated', ruleId: rule.id, ccis: deprecated },
      { code: 'cci_lost', ruleId: rule.id, ccis: lost },
    )
    await pauses.rest()
  }
  return items.filter(({ ccis }) => ccis.length > 0)
}
