import { rowOf, type RequiredField, type StatusRow } from './by-status.ts'
import { CHECK } from './checks/check.ts'
import { DISCUSSION } from './checks/discussion.ts'
import { EVIDENCE } from './checks/evidence.ts'
import { FIX } from './checks/fix.ts'
import { PLAIN_TEXT } from './checks/plain-text.ts'
import { TITLE } from './checks/title.ts'
import type { AdvisedField, Finding, TextRemark, RuleTexts, TextCheck } from './finding.ts'
import type { GuideCode } from './guide.ts'
import { isBlank, READ_SO_FAR, textOf, type WrittenRule, type WrittenText } from './rule.ts'
import { Reading } from './text/reading.ts'

/** Checks of the texts that justify a status, besides the one for plain characters. */
const MORE: Readonly<Partial<Record<WrittenText, readonly TextCheck[]>>> = {
  artifact_description: EVIDENCE,
}

/** Work with moments in which others may have their turn. */
type Steps = Generator<undefined, readonly Finding[]>

/** Findings of the guide in a rule, by its status and kind, in the order of the fields of a form. */
export function adviseOn(rule: WrittenRule): readonly Finding[] {
  const steps = advising(rule)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Like `adviseOn`, step by step: texts may be long. */
export function* advising(rule: WrittenRule): Steps {
  const row = rowOf(rule)
  const around = surroundingsOf(rule)
  const found = row.isWritten && !rule.isSatisfied ? [...(yield* onWritten(rule, around))] : []
  for (const field of row.texts) found.push(...(yield* onJustification(rule, field, around)))
  if (!rule.isSatisfied) found.push(...missingTexts(rule, row), ...onSeverity(rule, row))
  return [...found, ...onDiscussionOfNone(rule)]
}

function surroundingsOf({ title, checks }: WrittenRule): RuleTexts {
  const all = checks.map(({ content }) => content ?? '').join('\n')
  return {
    title: new Reading(title.slice(0, READ_SO_FAR)),
    checks: new Reading(all.slice(0, READ_SO_FAR)),
  }
}

function* onWritten(rule: WrittenRule, around: RuleTexts): Steps {
  const discussion = textOf(rule, 'vuln_discussion')
  const title = yield* run([...TITLE, ...PLAIN_TEXT], around.title.text, { around, field: 'title' })
  const risk = yield* run([...DISCUSSION, ...PLAIN_TEXT], discussion, {
    around,
    field: 'vuln_discussion',
  })
  const checks = yield* onChecks(rule, around)
  const fix = yield* run([...FIX, ...PLAIN_TEXT], textOf(rule, 'fixtext'), {
    around,
    field: 'fixtext',
  })
  return [...title, ...risk, ...checks, ...fix]
}

/** A rule may have several checks, so each finding names its check. */
function* onChecks({ checks }: WrittenRule, around: RuleTexts): Steps {
  const found: Finding[] = []
  for (const { id, content } of checks) {
    const text = (content ?? '').slice(0, READ_SO_FAR)
    const place = { around, field: 'check_content', checkId: id } as const
    found.push(...(yield* run([...CHECK, ...PLAIN_TEXT], text, place)))
  }
  const written = checks.filter(({ content }) => !isBlank(content)).length
  const unsaid = found.filter(({ code }) => code === 'check_finding').length
  return unsaid < written ? found.filter(({ code }) => code !== 'check_finding') : found
}

function* onJustification(rule: WrittenRule, field: WrittenText, around: RuleTexts): Steps {
  const checks = [...(MORE[field] ?? []), ...PLAIN_TEXT]
  return yield* run(checks, textOf(rule, field), { around, field })
}

interface TextLocation {
  readonly around: RuleTexts
  readonly field: AdvisedField
  readonly checkId?: number | null
}

function* run(checks: readonly TextCheck[], text: string, { around, field, checkId = null }: TextLocation): Steps {
  const reading = new Reading(text)
  const remarks: TextRemark[] = []
  for (const check of checks) {
    yield
    remarks.push(...check(reading, around))
  }
  return remarks.sort((a, b) => a.start - b.start || b.end - a.end).map((remark) => finding(remark, field, checkId))
}

/** Written out, because there may be thousands. */
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

function onSeverity(rule: WrittenRule, { hasSeverity }: StatusRow): readonly Finding[] {
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

/** The words of the SRG stay where they are, and are left out of the submission; others would be lost in it. */
function onDiscussionOfNone(rule: WrittenRule): readonly Finding[] {
  const { status, documentType, requirement } = rule
  const text = textOf(rule, 'vuln_discussion')
  if (status !== 'Not Applicable' || documentType === 'srg' || isBlank(text)) return []
  if (requirement === null || requirement.discussion?.trim() === text.trim()) return []
  const code = 'discussion_not_applicable'
  const message = 'Somebody wrote this discussion, which is left out where a rule is not applicable.'
  return [finding({ code, start: 0, end: text.length, message, suggestion: null }, 'vuln_discussion', null)]
}
