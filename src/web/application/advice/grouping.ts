import { GUIDE, type GuideCode } from '../../../wording/guide.ts'

/** The fields of a finding that the page reads, named as in the API. */
export interface AdviceFinding {
  readonly code: string
  readonly field: string
  readonly check_id: number | null
  readonly start: number
  readonly end: number
  readonly quote: string
  readonly message: string
  readonly suggestion: string | null
}

export interface RuleWithFindings<Finding extends AdviceFinding = AdviceFinding> {
  readonly id: number
  readonly displayed_name: string
  readonly findings: readonly Finding[]
}

/** The filters of the findings, as in the address; an empty value does not filter. */
export interface AdviceFilter {
  readonly q: string
  readonly field: string
}

/** The rules with their filtered findings; rules without findings are left out. */
export function matching<Rule extends RuleWithFindings>(
  rules: readonly Rule[],
  { q, field }: AdviceFilter,
): readonly Rule[] {
  const words = q.toLowerCase().split(/\s+/)
  const isFound = (name: string, finding: AdviceFinding): boolean => {
    if (field !== '' && finding.field !== field) return false
    const text = `${name}\n${finding.quote}\n${finding.message}`.toLowerCase()
    return words.every((word) => text.includes(word))
  }
  return withFindings(
    rules,
    ({ displayed_name: name }) =>
      (finding) =>
        isFound(name, finding),
  )
}

export function ofKind<Rule extends RuleWithFindings>(rules: readonly Rule[], code: string): readonly Rule[] {
  return withFindings(rules, () => (finding) => finding.code === code)
}

function withFindings<Rule extends RuleWithFindings>(
  rules: readonly Rule[],
  testFor: (rule: Rule) => (finding: AdviceFinding) => boolean,
): readonly Rule[] {
  return rules.flatMap((rule) => {
    const findings = rule.findings.filter(testFor(rule))
    return findings.length === 0 ? [] : [{ ...rule, findings }]
  })
}

export function countOf(rules: readonly RuleWithFindings[]): number {
  return rules.reduce((sum, { findings }) => sum + findings.length, 0)
}

export interface Kind {
  readonly code: GuideCode
  /** The sentence of the guide. */
  readonly guidance: string
  readonly findings: number
  readonly rules: number
}

/** The kinds of the findings, most frequent first. */
export function kindsIn(rules: readonly RuleWithFindings[]): readonly Kind[] {
  const codes = Object.keys(GUIDE).filter((code): code is GuideCode => code in GUIDE)
  return codes
    .map((code) => {
      const rulesOfKind = ofKind(rules, code)
      return { code, guidance: GUIDE[code], findings: countOf(rulesOfKind), rules: rulesOfKind.length }
    })
    .filter(({ findings }) => findings > 0)
    .toSorted((a, b) => b.findings - a.findings)
}

/** The fields that have findings. */
export function fieldsIn(rules: readonly RuleWithFindings[]): readonly string[] {
  return [...new Set(rules.flatMap(({ findings }) => findings.map(({ field }) => field)))]
}

/** The place of a finding for the address of the editor. */
export function placeOf({
  field,
  check_id: check,
  start,
  end,
}: Pick<AdviceFinding, 'field' | 'check_id' | 'start' | 'end'>): string {
  return [field, check ?? '', start, end].join('.')
}

/** The place in an address; null if it is invalid. */
export function placeIn(address: string): {
  readonly field: string
  readonly checkId: number | null
  readonly start: number
  readonly end: number
} | null {
  const match = /^([a-z_]{1,40})\.(\d{0,15})\.(\d{1,6})\.(\d{1,6})$/.exec(address)
  if (match === null) return null
  const [, field = '', check = '', start = '', end = ''] = match
  return {
    field,
    checkId: check === '' ? null : Number(check),
    start: Number(start),
    end: Number(end),
  }
}
