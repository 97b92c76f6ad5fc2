import { Pauses } from '../../../platform/concurrency/turns.ts'
import type { QuotedFinding } from '../../../wording/finding.ts'
import type { WrittenRule } from '../../../wording/rule.ts'
import { SentenceIndex } from '../../../wording/sentence-index.ts'
import { findingsIn } from '../../authoring/advice/findings.ts'
import type { RuleControls } from '../../authoring/advice/written-rule.ts'
import { problem, type Problem } from './problem.ts'

/** A rule of a file, with its location. */
export interface AdvisedRule {
  readonly name: string
  readonly written: WrittenRule
  readonly cited: RuleControls
  readonly location: Partial<Pick<Problem, 'member' | 'line' | 'row'>>
  /** The spreadsheet cell of a field. */
  readonly cellOf?: (field: string) => string | null
}

/** Checks the words of all rules in a document, like the advice for a component. */
export async function adviseOnRules(rules: readonly AdvisedRule[]): Promise<readonly Problem[]> {
  const sentences = new SentenceIndex()
  const pauses = new Pauses()
  for (const [id, { name, written }] of rules.entries()) {
    sentences.set({ id, name }, written)
    await pauses.rest()
  }
  const problems: Problem[] = []
  for (const [id, rule] of rules.entries()) {
    const steps = findingsIn(rule.written, rule.cited)
    let step = steps.next()
    for (; step.done !== true; step = steps.next()) await pauses.rest()
    const findings = [...step.value, ...sentences.findingsIn(id)]
    for (const finding of findings) problems.push(toProblem(finding, rule))
  }
  return problems
}

function toProblem(
  { code, message, field, quote, suggestion }: QuotedFinding,
  { name, location, cellOf }: AdvisedRule,
): Problem {
  const cell = cellOf?.(field) ?? null
  return problem({ level: 'advice', code, message, ...location, rule: name, field, cell, quote, suggestion })
}
