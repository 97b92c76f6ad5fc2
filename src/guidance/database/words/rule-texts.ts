import type { IndexedTexts } from './entry.ts'

/** Of each text; real ones have at most 34,000. */
export const MAX_CHARACTERS = 60_000
/** Between the texts of a rule: a control character that no XML document can contain. */
export const SEPARATOR = '\u001e'

/** A rule of the catalogue: its row, and its parts joined to texts. */
export interface RuleRow {
  readonly rule_id: string
  readonly group_id: string | null
  readonly group_title: string | null
  readonly version: string | null
  readonly title: string
  readonly discussion: string
  readonly mitigations: string
  readonly checks: string
  readonly fixes: string
  readonly idents: string
  /** Title of the benchmark. */
  readonly context: string
}

export function textsOf(row: RuleRow): IndexedTexts {
  return {
    ...{ title: row.title, context: row.context },
    names: [
      ...ruleNames(row.rule_id),
      ...[row.group_id, ...(/\d{4,}$/.exec(row.group_id ?? '') ?? [])],
      ...[...requirementNames(row.version), ...requirementNames(row.group_title)],
      ...row.idents.split(SEPARATOR),
    ],
    texts: [
      ...[...row.fixes.split(SEPARATOR), ...row.checks.split(SEPARATOR)],
      ...[row.discussion, row.mitigations],
    ],
  }
}

/** A rule as read from a file, with only the fields needed here. */
export interface NewRule {
  readonly ruleId: string
  readonly groupId: string | null
  readonly groupTitle: string | null
  readonly version: string | null
  readonly title: string
  readonly discussion: {
    readonly vuln_discussion: string | null
    readonly mitigations: string | null
  }
  readonly checks: readonly { readonly content: string | null }[]
  readonly fixes: readonly { readonly text: string | null }[]
  readonly idents: readonly { readonly value: string }[]
}

/** The row that the database would return once the rule is stored. */
export function rowOf(rule: NewRule, context: string): RuleRow {
  return {
    ...{ rule_id: rule.ruleId, group_id: rule.groupId, group_title: rule.groupTitle },
    ...{ version: rule.version, title: shortened(rule.title), context },
    discussion: shortened(rule.discussion.vuln_discussion ?? ''),
    mitigations: shortened(rule.discussion.mitigations ?? ''),
    checks: together(rule.checks.map(({ content }) => content)),
    fixes: together(rule.fixes.map(({ text }) => text)),
    idents: together(rule.idents.map(({ value }) => value)),
  }
}

function together(texts: readonly (string | null)[]): string {
  return shortened(texts.filter((text) => text !== null).join(SEPARATOR))
}

/** Counts code points, like the databases. */
function shortened(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text
  return Array.from(text).slice(0, MAX_CHARACTERS).join('')
}

/** `SV-257777r925318_rule`, also without its ending and without its revision. */
function ruleNames(ruleId: string): readonly string[] {
  const bare = ruleId.replace(/_rule$/, '')
  return [ruleId, bare, bare.replace(/r\d+$/, '')]
}

/** `SRG-OS-000480-GPOS-00227` also as `SRG-OS-000480`. A text without a digit is no id. */
export function requirementNames(id: string | null): readonly string[] {
  if (id === null || !/\d/.test(id)) return []
  return [id, ...(/^(SRG-[A-Z]+-\d+)-[A-Z]+-\d+$/i.exec(id)?.slice(1) ?? [])]
}
