import { z } from 'zod'
import { notFound } from '../../../http/input.ts'
import { inPortions } from '../../../platform/concurrency/turns.ts'
import { FINDING_FIELDS, type QuotedFinding } from '../../../wording/finding.ts'
import { GUIDE } from '../../../wording/guide.ts'
import { displayedName, ruleIdOf } from '../../database/rule-names.ts'
import type { BenchmarkKind } from '../../database/schema/benchmarks.ts'
import type { Reader } from '../../database/transaction.ts'
import type { AdviceCache, CachedComponent } from './advice-cache.ts'
import { adviceCode, adviceOffOf, type DisabledAdvice } from './disabled-advice.ts'

const place = (description: string): z.ZodInt => z.int().meta({ description })

export const finding = z.object({
  code: adviceCode.meta({ description: 'Stable code of the rule of the guide' }),
  rule: z.string().meta({ description: 'The rule of the guide, in our words' }),
  field: z.enum(FINDING_FIELDS),
  check_id: z.int().nullable().meta({ description: 'For check_content: the id of the check' }),
  start: place('Start of the passage in the text of the field, in UTF-16 code units'),
  end: place('End of the passage; start and end are 0 if the finding is about the whole field'),
  quote: z
    .string()
    .meta({ description: 'The first words of the passage; empty if the finding is about the whole field' }),
  message: z.string(),
  suggestion: z
    .string()
    .nullable()
    .meta({ description: 'Suggested replacement; null if only the author can supply one' }),
})

const off = z.object({
  code: adviceCode,
  rule: z.string(),
  reason: z.string(),
  by: z.string().meta({ description: 'Who turned it off' }),
  at: z.string(),
  hidden: z.int().meta({ description: 'Number of findings that it hides' }),
})

export const ruleAdvice = z.object({
  id: z.int(),
  rule_id: z.string(),
  displayed_name: z.string(),
  lock_version: z.int(),
  findings: z.array(finding),
  off: z.array(off).meta({ description: 'Codes that are turned off for this rule, with the reasons' }),
})

export type RuleAdvice = z.infer<typeof ruleAdvice>

export const componentAdvice = z.object({
  component_id: z.int(),
  document_type: z.enum(['stig', 'srg']),
  rules_count: z.int(),
  counts: z.record(z.string(), z.int()).meta({ description: 'Number of findings by code' }),
  guide: z.record(z.string(), z.string()).meta({ description: 'The rules of the guide, by code; for all codes' }),
  rules: z.array(ruleAdvice).meta({ description: 'Rules with findings, by number' }),
})

const RULE_COLUMNS = ['id', 'number', 'lock_version', 'advice_off'] as const

interface RuleHead {
  readonly id: number
  readonly number: number
  readonly lock_version: number
  readonly advice_off: string
}

export async function findRuleAdvice(
  reader: Reader,
  cache: AdviceCache,
  { componentId, ruleId }: { readonly componentId: number; readonly ruleId: number },
): Promise<RuleAdvice> {
  const component = await cache.of(reader, componentId)
  const { prefix } = await findComponent(reader, componentId)
  const head = await reader
    .selectFrom('rules')
    .select(RULE_COLUMNS)
    .where('id', '=', ruleId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow(() => notFound())
  return adviceOf(head, { component, prefix })
}

const countsByCode = z.record(z.string(), z.int())

export const adviceCounts = z.object({
  component_id: z.int(),
  rules: z
    .array(z.object({ id: z.int(), counts: countsByCode }))
    .meta({ description: 'Rules with findings, by number' }),
})

/** Counts the findings of each rule of a component, by code. */
export async function findAdviceCounts(
  reader: Reader,
  cache: AdviceCache,
  { componentId }: { readonly componentId: number },
): Promise<z.infer<typeof adviceCounts>> {
  const component = await cache.of(reader, componentId)
  const rules: { id: number; counts: Record<string, number> }[] = []
  for await (const batch of inPortions(await findHeads(reader, componentId), 200))
    for (const { id, advice_off } of batch) {
      const disabled = adviceOffOf({ advice_off })
      const findings = component.findingsIn(id).filter(({ code }) => !(code in disabled))
      if (findings.length > 0) rules.push({ id, counts: countsOf([{ findings }]) })
    }
  return { component_id: componentId, rules }
}

export async function findComponentAdvice(
  reader: Reader,
  cache: AdviceCache,
  { componentId, documentType }: { componentId: number; documentType: BenchmarkKind },
): Promise<z.infer<typeof componentAdvice>> {
  const component = await cache.of(reader, componentId)
  const { prefix } = await findComponent(reader, componentId)
  const heads = await findHeads(reader, componentId)
  const rules: RuleAdvice[] = []
  for await (const batch of inPortions(heads, 200))
    rules.push(...batch.map((head) => adviceOf(head, { component, prefix })))
  return {
    component_id: componentId,
    document_type: documentType,
    rules_count: heads.length,
    counts: countsOf(rules),
    guide: GUIDE,
    rules: rules.filter((rule) => rule.findings.length + rule.off.length > 0),
  }
}

function findHeads(reader: Reader, componentId: number): Promise<RuleHead[]> {
  return reader
    .selectFrom('rules')
    .select(RULE_COLUMNS)
    .where('component_id', '=', componentId)
    .where('deleted_at', 'is', null)
    .orderBy('number')
    .execute()
}

async function findComponent(reader: Reader, id: number): Promise<{ readonly prefix: string }> {
  return reader
    .selectFrom('components')
    .select('prefix')
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => notFound())
}

function adviceOf(
  head: RuleHead,
  { component, prefix }: { readonly component: CachedComponent; readonly prefix: string },
): RuleAdvice {
  const findings = component.findingsIn(head.id)
  const disabled = adviceOffOf(head)
  return {
    id: head.id,
    rule_id: ruleIdOf(head.number),
    displayed_name: displayedName(prefix, head.number),
    lock_version: head.lock_version,
    findings: findings.filter(({ code }) => !(code in disabled)).map(shapeFinding),
    off: shapeOff(disabled, findings),
  }
}

export function shapeFinding({ code, field, checkId, ...rest }: QuotedFinding): RuleAdvice['findings'][number] {
  return { code, rule: GUIDE[code], field, check_id: checkId, ...rest }
}

function shapeOff(disabled: DisabledAdvice, findings: readonly QuotedFinding[]): RuleAdvice['off'] {
  return Object.entries(GUIDE).flatMap(([code, rule]) => {
    const entry = disabled[code]
    if (entry === undefined) return []
    const hidden = findings.filter((finding) => finding.code === code).length
    return [{ code, rule, ...entry, hidden }]
  })
}

function countsOf(
  rules: readonly { readonly findings: readonly { readonly code: string }[] }[],
): Record<string, number> {
  const counts = new Map<string, number>()
  for (const { findings } of rules) for (const { code } of findings) counts.set(code, (counts.get(code) ?? 0) + 1)
  return Object.fromEntries(counts)
}
