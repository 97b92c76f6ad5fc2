import { newRuleOf } from '../../authoring/component-creation/published-stig/new-rule.ts'
import { readUploadHere, type ReadItem, type RefusedItem } from '../../catalogue/uploads/upload.ts'
import type { ReadWarning, ReadOptions } from '../../catalogue/xccdf/benchmark.ts'
import { linesOfRules } from '../../catalogue/xccdf/rule-lines.ts'
import { adviseOnRules, type AdvisedRule } from './advice.ts'
import { citedControls, shapeWrittenRule } from './new-rule-texts.ts'
import { problemAt } from './problem-at.ts'
import { problem, type CheckedDocument, type FileCheck, type Problem } from './problem.ts'

/** Checks the benchmarks of an XCCDF file, a data stream or a zip. */
export async function checkBenchmarks(file: string, options: ReadOptions): Promise<FileCheck> {
  const documents: CheckedDocument[] = []
  const problems: Problem[] = []
  for await (const item of readUploadHere(file, options)) {
    if (item.kind !== 'read') {
      problems.push(skippedOrRefused(item))
      continue
    }
    const { kind, benchmarkId, version, title, rules } = item.benchmark
    documents.push({ kind, member: item.member, name: benchmarkId, version, title, rules: rules.length })
    problems.push(...(await problemsOf(item)))
  }
  return { type: 'xccdf', documents, problems }
}

function skippedOrRefused({ kind, member, code, detail }: RefusedItem): Problem {
  return { ...problemAt(kind === 'refused' ? 'error' : 'warning', code, detail), member }
}

async function problemsOf({ member, benchmark, warnings, source }: ReadItem): Promise<readonly Problem[]> {
  const lines = linesOfRules(source)
  const rules = benchmark.rules.map((rule, at): AdvisedRule => {
    const newRule = newRuleOf(rule, { number: at + 1, requirement: null, now: '' })
    const status = benchmark.kind === 'srg' ? 'Applicable' : newRule.row.status
    const ruleWithStatus = { ...newRule, row: { ...newRule.row, status } }
    return {
      name: rule.version ?? rule.ruleId,
      written: shapeWrittenRule(ruleWithStatus, benchmark.kind),
      cited: citedControls(ruleWithStatus),
      place: { member, line: lines.get(rule.ruleId) ?? null },
    }
  })
  return [...warnings.map((warning) => warningOf(warning, member, lines)), ...(await adviseOnRules(rules))]
}

function warningOf(
  { code, where, message }: ReadWarning,
  member: string | null,
  lines: ReadonlyMap<string, number>,
): Problem {
  const line = lines.get(where) ?? null
  return problem({
    level: 'warning',
    code,
    message,
    member,
    line,
    rule: line === null ? null : where,
  })
}
