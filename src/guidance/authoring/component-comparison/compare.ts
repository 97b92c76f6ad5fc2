import { z } from 'zod'
import { ruleIdOf } from '../../database/rule-names.ts'
import type { Reader } from '../../database/transaction.ts'
import { portionsOf } from '../components/portions.ts'
import { inspecControl } from '../rules/inspec.ts'
import { findRules, type AuthoredRule } from '../rules/reader.ts'

/** Rules by their numbers; null where one side has none. */
export interface ComparedPair<T> {
  readonly base: T | null
  readonly diff: T | null
}

/** Pairs rules of the same number, sorted by number. */
function pairByNumber<T>(
  base: ReadonlyMap<string, T>,
  diff: ReadonlyMap<string, T>,
): readonly (readonly [string, ComparedPair<T>])[] {
  const ids = [...new Set([...base.keys(), ...diff.keys()])].sort()
  return ids.map((id) => [id, { base: base.get(id) ?? null, diff: diff.get(id) ?? null }])
}

interface InspecControl {
  readonly text: string
  readonly prefix: string
}

/** The InSpec controls of all live rules, by `rule_id`. */
async function findControls(reader: Reader, componentId: number): Promise<ReadonlyMap<string, InspecControl>> {
  return mapRules(reader, componentId, (rule) => ({
    text: rule.inspec_control_file ?? inspecControl(rule),
    prefix: rule.prefix,
  }))
}

/** Whether two controls differ in more than the names of rules, which contain the prefix of the component. */
function isChanged({ base, diff }: ComparedPair<InspecControl>): boolean {
  if (base?.text === diff?.text) return false
  return base === null || diff === null || withoutPrefix(base) !== withoutPrefix(diff)
}

function withoutPrefix({ text, prefix }: InspecControl): string {
  return text.replaceAll(`${prefix}-`, '')
}

/** Compares the InSpec code of two components. */
export async function compareControls(
  reader: Reader,
  { base, diff }: { readonly base: number; readonly diff: number },
): Promise<Record<string, ComparedPair<string> & { readonly changed: boolean }>> {
  const pairs = pairByNumber(await findControls(reader, base), await findControls(reader, diff))
  return Object.fromEntries(
    pairs.map(([id, pair]) => {
      const { base, diff } = pair
      const texts = { base: base?.text ?? null, diff: diff?.text ?? null }
      return [id, { ...texts, changed: isChanged(pair) }]
    }),
  )
}

const text = z.string().nullable()

/** The fields of a rule that the history of a component compares. */
export const comparedRule = z.object({
  rule_id: z.string(),
  title: z.string(),
  vuln_discussion: text,
  check: text,
  fix: text,
})

export type ComparedRule = z.infer<typeof comparedRule>

export type ComparedRules = ReadonlyMap<string, ComparedRule>

export async function findCompared(reader: Reader, componentId: number): Promise<ComparedRules> {
  return mapRules(reader, componentId, (rule) => ({
    rule_id: ruleIdOf(rule.number),
    title: rule.title,
    vuln_discussion: rule.vuln_discussion,
    check: rule.checks[0]?.content ?? null,
    fix: rule.fixtext,
  }))
}

type RuleDifference = ComparedPair<ComparedRule> & {
  readonly change: 'added' | 'removed' | 'updated'
}

/** The rules that differ. */
export function changesOf(base: ComparedRules, diff: ComparedRules): Record<string, RuleDifference> {
  const changed = pairByNumber(base, diff).filter(([, pair]) => JSON.stringify(pair.base) !== JSON.stringify(pair.diff))
  return Object.fromEntries(changed.map(([id, pair]) => [id, { ...pair, change: kindOf(pair) }]))
}

function kindOf({ base, diff }: ComparedPair<ComparedRule>): RuleDifference['change'] {
  if (base === null) return 'added'
  return diff === null ? 'removed' : 'updated'
}

/** Maps all live rules, by `rule_id`. Other requests run in between. */
async function mapRules<T>(
  reader: Reader,
  componentId: number,
  valueOf: (rule: AuthoredRule) => T,
): Promise<ReadonlyMap<string, T>> {
  const mapped = new Map<string, T>()
  for await (const condition of portionsOf(reader, componentId)) {
    for (const rule of await findRules(reader, condition)) mapped.set(ruleIdOf(rule.number), valueOf(rule))
  }
  return mapped
}
