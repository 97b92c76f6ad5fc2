import { statusRowOf, type RequiredField, type StatusRow } from './by-status.ts'
import { CHECK } from './checks/check.ts'
import { DISCUSSION } from './checks/discussion.ts'
import { EVIDENCE } from './checks/evidence.ts'
import { FIX } from './checks/fix.ts'
import { PLAIN_TEXT } from './checks/plain-text.ts'
import { TITLE } from './checks/title.ts'
import type { AdvisedField, Finding, TextRemark, RuleTexts, TextCheck } from './finding.ts'
import type { GuideCode } from './guide.ts'
import { isBlank, MAX_READ_LENGTH, textOf, type WrittenRule, type WrittenText } from './rule.ts'
import { ParsedText } from './text/parsed-text.ts'

/** Checks of the texts that justify a status, besides the one for plain characters. */
const FURTHER_CHECKS: Readonly<Partial<Record<WrittenText, readonly TextCheck[]>>> = {
  artifact_description: EVIDENCE,
}

/** Yields between checks, so that the caller can let other requests run. */
type Steps = Generator<undefined, readonly Finding[]>

/** All findings of the guide in a rule, in the order of the fields of its form. */
export function adviseOn(rule: WrittenRule): readonly Finding[] {
  const steps = adviseInSteps(rule)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Like `adviseOn`, in steps, because texts may be long. */
export function* adviseInSteps(rule: WrittenRule): Steps {
  const row = statusRowOf(rule)
  const ruleTexts = readRuleTexts(rule)
  const findings = row.isWritten && !rule.isSatisfied ? [...(yield* adviseOnTexts(rule, ruleTexts))] : []
  for (const field of row.texts) findings.push(...(yield* adviseOnJustification(rule, field, ruleTexts)))
  if (!rule.isSatisfied) findings.push(...missingTexts(rule, row), ...adviseOnSeverity(rule, row))
  return [...findings, ...adviseOnUnneededDiscussion(rule)]
}

function readRuleTexts({ title, checks }: WrittenRule): RuleTexts {
  const allChecks = checks.map(({ content }) => content ?? '').join('\n')
  return {
    title: new ParsedText(title.slice(0, MAX_READ_LENGTH)),
    checks: new ParsedText(allChecks.slice(0, MAX_READ_LENGTH)),
  }
}

function* adviseOnTexts(rule: WrittenRule, ruleTexts: RuleTexts): Steps {
  const discussion = textOf(rule, 'vuln_discussion')
  const title = yield* runChecks([...TITLE, ...PLAIN_TEXT], ruleTexts.title.text, { ruleTexts, field: 'title' })
  const risk = yield* runChecks([...DISCUSSION, ...PLAIN_TEXT], discussion, {
    ruleTexts,
    field: 'vuln_discussion',
  })
  const checks = yield* adviseOnChecks(rule, ruleTexts)
  const fix = yield* runChecks([...FIX, ...PLAIN_TEXT], textOf(rule, 'fixtext'), {
    ruleTexts,
    field: 'fixtext',
  })
  return [...title, ...risk, ...checks, ...fix]
}

/** A rule may have several checks, so each finding names its check. */
function* adviseOnChecks({ checks }: WrittenRule, ruleTexts: RuleTexts): Steps {
  const findings: Finding[] = []
  for (const { id, content } of checks) {
    const text = (content ?? '').slice(0, MAX_READ_LENGTH)
    const location = { ruleTexts, field: 'check_content', checkId: id } as const
    findings.push(...(yield* runChecks([...CHECK, ...PLAIN_TEXT], text, location)))
  }
  const written = checks.filter(({ content }) => !isBlank(content)).length
  const withoutFinding = findings.filter(({ code }) => code === 'check_finding').length
  return withoutFinding < written ? findings.filter(({ code }) => code !== 'check_finding') : findings
}

function* adviseOnJustification(rule: WrittenRule, field: WrittenText, ruleTexts: RuleTexts): Steps {
  const checks = [...(FURTHER_CHECKS[field] ?? []), ...PLAIN_TEXT]
  return yield* runChecks(checks, textOf(rule, field), { ruleTexts, field })
}

interface TextLocation {
  readonly ruleTexts: RuleTexts
  readonly field: AdvisedField
  readonly checkId?: number | null
}

function* runChecks(
  checks: readonly TextCheck[],
  text: string,
  { ruleTexts, field, checkId = null }: TextLocation,
): Steps {
  const reading = new ParsedText(text)
  const remarks: TextRemark[] = []
  for (const check of checks) {
    yield
    remarks.push(...check(reading, ruleTexts))
  }
  return remarks.sort((a, b) => a.start - b.start || b.end - a.end).map((remark) => finding(remark, field, checkId))
}

/** Without spreading objects, because there may be thousands. */
function finding(
  { code, start, end, message, suggestion }: TextRemark,
  field: AdvisedField,
  checkId: number | null,
): Finding {
  return { code, field, checkId, start, end, message, suggestion }
}

function missingTexts(rule: WrittenRule, { required }: StatusRow): readonly Finding[] {
  return required
    .filter((field) => isMissing(rule, field))
    .map((field) => fieldFinding(field.within === 'check' ? 'check_content' : field.name, field.required))
}

function isMissing({ checks, texts }: WrittenRule, field: RequiredField): boolean {
  return field.within === 'check' ? checks.every(({ content }) => isBlank(content)) : isBlank(texts[field.name])
}

/** About a field as a whole. */
function fieldFinding(
  field: AdvisedField,
  { code, message }: { readonly code: GuideCode; readonly message: string },
): Finding {
  return finding({ code, start: 0, end: 0, message, suggestion: null }, field, null)
}

function adviseOnSeverity(rule: WrittenRule, { hasSeverity }: StatusRow): readonly Finding[] {
  if (!hasSeverity) return []
  if (!['high', 'medium', 'low'].includes(rule.severity))
    return [
      fieldFinding('rule_severity', {
        code: 'severity_missing',
        message: 'Say how severe it is, before any mitigation: high, medium or low.',
      }),
    ]
  const before = rule.requirement?.severity ?? rule.severity
  const isExplained = !isBlank(rule.texts.severity_override_guidance)
  if (rule.severity === before || isExplained || rule.documentType === 'srg') return []
  const message = `The SRG says ${before}: say in the severity override guidance why it is ${rule.severity}.`
  return [fieldFinding('rule_severity', { code: 'severity_guidance', message })]
}

/** The submission leaves the discussion out. That is expected for the text of the SRG, but would lose a text of the author. */
function adviseOnUnneededDiscussion(rule: WrittenRule): readonly Finding[] {
  const { status, documentType, requirement } = rule
  const text = textOf(rule, 'vuln_discussion')
  if (status !== 'Not Applicable' || documentType === 'srg' || isBlank(text)) return []
  if (requirement === null || requirement.discussion?.trim() === text.trim()) return []
  const code = 'discussion_not_applicable'
  const message = 'Somebody wrote this discussion, which is left out where a rule is not applicable.'
  return [finding({ code, start: 0, end: text.length, message, suggestion: null }, 'vuln_discussion', null)]
}
