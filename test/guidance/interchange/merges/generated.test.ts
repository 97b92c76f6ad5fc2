import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BLANK_CONTENT } from '../../../../src/guidance/authoring/rule-editing/content.ts'
import type { RuleState } from '../../../../src/guidance/interchange/exports/component/snapshot.ts'
import {
  valueOf,
  type FieldValue,
  type MergedField,
} from '../../../../src/guidance/interchange/merges/planning/fields.ts'
import { matchRules, type NamedRule } from '../../../../src/guidance/interchange/merges/planning/match-rules.ts'
import { planRule, type PlannedField } from '../../../../src/guidance/interchange/merges/planning/plan.ts'
import type { FileRule } from '../../../../src/guidance/interchange/merges/reading/merge-file.ts'
import { runs } from '../../../support/runs.ts'

/** The texts that the generated sheets have; all are prose but the title and the status. */
const TEXTS = ['fixtext', 'vuln_discussion', 'check_content', 'vendor_comments'] as const
const FIELDS = ['title', 'status', ...TEXTS] as const

type Edit = 'none' | 'ours' | 'theirs' | 'both differently' | 'both equally' | 'both elsewhere'

const EDITS: readonly Edit[] = ['none', 'none', 'ours', 'theirs', 'both differently', 'both equally', 'both elsewhere']

/** Changes that spreadsheets make to a text by themselves. */
const DISGUISES: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replaceAll('\n', '\r\n'),
  (text) => text.replaceAll('\n', ' \n'),
  (text) => `${text}  `,
  (text) => `${text}\n`,
]

interface GeneratedField {
  readonly field: (typeof FIELDS)[number]
  readonly edit: Edit
  readonly lines: number
  /** The line that each side edits. */
  readonly at: readonly [number, number]
  readonly kind: 'replace' | 'insert' | 'remove'
  readonly disguise: number
}

interface GeneratedRule {
  readonly fields: readonly GeneratedField[]
  readonly row: 'there' | 'removed' | 'renumbered' | 'without STIG id'
}

const generatedRule: fc.Arbitrary<GeneratedRule> = fc.record({
  fields: fc.tuple(
    ...FIELDS.map((field) =>
      fc.record({
        field: fc.constant(field),
        edit: fc.constantFrom(...EDITS),
        lines: fc.integer({ min: 5, max: 9 }),
        at: fc.tuple(fc.integer({ min: 0, max: 1 }), fc.integer({ min: 3, max: 4 })),
        kind: fc.constantFrom('replace', 'insert', 'remove'),
        disguise: fc.integer({ min: 0, max: DISGUISES.length - 1 }),
      }),
    ),
  ),
  row: fc.constantFrom('there', 'there', 'there', 'removed', 'renumbered', 'without STIG id'),
})

/** The three values of a field, and what has to come of it; written without regard to how merging works. */
interface Expected {
  readonly base: string
  readonly ours: string
  readonly theirs: string
  readonly outcome: PlannedField['outcome'] | 'unchanged'
  /** The value after taking what needs no decision. */
  readonly result: string
}

const STATUSES = ['Applicable - Configurable', 'Not Applicable', 'Applicable - Does Not Meet'] as const

function expectedOf({ field, edit, lines, at, kind }: GeneratedField, rule: number): Expected {
  const isProse = TEXTS.some((name) => name === field)
  const base = isProse ? Array.from({ length: lines }, (_, line) => `${field} “${rule}.${line}”`) : [`${field} ${rule}`]
  const change = (line: number, by: string): string[] => {
    if (!isProse) return [`${field} ${rule} by ${by}`]
    const edited = [...base]
    if (kind === 'insert') edited.splice(line, 0, `A line by ${by}`)
    else if (kind === 'remove') edited.splice(line, 1)
    else edited[line] = `Edited by ${by}`
    return edited
  }
  const together = (): string[] => {
    const edited = change(at[1], 'them')
    const insertion = kind === 'insert' ? ['A line by us'] : kind === 'remove' ? [] : ['Edited by us']
    edited.splice(at[0], kind === 'insert' ? 0 : 1, ...insertion)
    return edited
  }
  const sides: Readonly<
    Record<Edit, readonly [ours: string[], theirs: string[], Expected['outcome'], result: string[]]>
  > = {
    none: [base, base, 'unchanged', base],
    ours: [change(at[0], 'us'), base, 'ours', change(at[0], 'us')],
    theirs: [base, change(at[1], 'them'), 'theirs', change(at[1], 'them')],
    'both equally': [change(at[0], 'both'), change(at[0], 'both'), 'same', change(at[0], 'both')],
    'both differently': [touched(base, 'us'), touched(base, 'them'), 'conflict', touched(base, 'us')],
    'both elsewhere': isProse
      ? [change(at[0], 'us'), change(at[1], 'them'), 'merged', together()]
      : [touched(base, 'us'), touched(base, 'them'), 'conflict', touched(base, 'us')],
  }
  const [ours, theirs, outcome, result] = sides[edit]
  const text = (some: readonly string[]): string => (field === 'status' ? statusFor(some.join('\n')) : some.join('\n'))
  return { base: text(base), ours: text(ours), theirs: text(theirs), outcome, result: text(result) }
}

function touched(base: readonly string[], by: string): string[] {
  return [`Another beginning by ${by}`, ...base.slice(1)]
}

function statusFor(text: string): (typeof STATUSES)[number] {
  if (text.endsWith('us')) return STATUSES[1]
  return text.endsWith('them') || text.endsWith('both') ? STATUSES[2] : STATUSES[0]
}

function stateOf(number: number, values: ReadonlyMap<string, string>): RuleState {
  const { check_content: content = null, ...columns } = Object.fromEntries(values)
  const check = { id: number, system: null, content_ref_name: null, content_ref_href: null, content }
  return { number, content: { ...BLANK_CONTENT, ...columns }, checks: [check] }
}

interface Triple {
  readonly rule: NamedRule
  readonly base: RuleState
  readonly ours: RuleState
  readonly fileRule: FileRule | null
  readonly expected: ReadonlyMap<MergedField, Expected>
}

function tripleOf({ fields, row }: GeneratedRule, index: number): Triple {
  const number = index + 1
  const expected = new Map(fields.map((field) => [field.field, expectedOf(field, number)]))
  const side = (which: 'base' | 'ours'): RuleState =>
    stateOf(number, new Map([...expected].map(([field, expectation]) => [field, expectation[which]])))
  const name = { id: number, prefix: 'TEAP-00', number, version: `SRG-TEA-${number}`, document_type: 'stig' } as const
  const numbers = { vuln_id: null, source_rule_id: null, legacy_ids: null }
  const values: Partial<Record<MergedField, FieldValue>> = {}
  for (const field of fields) values[field.field] = disguised(field, expected.get(field.field)?.theirs ?? '')
  const stigId = {
    there: `TEAP-00-00000${number}`,
    renumbered: `DISA-01-0001${number}`,
    removed: '',
    'without STIG id': '',
  }
  return {
    rule: { ...name, ...numbers, title: expected.get('title')?.ours ?? '' },
    base: side('base'),
    ours: side('ours'),
    fileRule: row === 'removed' ? null : { place: `Row ${number}`, srgId: name.version, stigId: stigId[row], values },
    expected,
  }
}

/** As a spreadsheet writes it; titles and statuses are one line. */
function disguised({ field, disguise }: GeneratedField, text: string): string {
  return field === 'status' || field === 'title' ? text : (DISGUISES[disguise]?.(text) ?? text)
}

const CONTEXT = { form: 'working copy', satisfiedBy: null } as const

/** The state after everything is taken that needs no decision. */
function applied(ours: RuleState, fields: readonly PlannedField[]): RuleState {
  const taken = new Map<string, string>()
  for (const field of FIELDS) taken.set(field, String(valueOf(ours, field) ?? ''))
  for (const { field, outcome, theirs, merged } of fields) {
    if (outcome === 'theirs') taken.set(field, String(theirs))
    if (outcome === 'merged') taken.set(field, String(merged))
  }
  return stateOf(ours.number, taken)
}

describe('A generated sheet', () => {
  it('loses no edit and invents none, and changes nothing when it is merged again', () => {
    const sheets = fc.record({
      rules: fc.array(generatedRule, { minLength: 1, maxLength: 6 }),
      added: fc.integer({ min: 0, max: 2 }),
    })
    fc.assert(
      fc.property(sheets, ({ rules, added }) => {
        const triples = rules.map(tripleOf)
        const rows = triples.flatMap(({ fileRule }) => fileRule ?? [])
        const others = Array.from({ length: added }, (_, index) => otherRow(index))
        const match = matchRules(
          triples.map(({ rule }) => rule),
          [...rows, ...others],
        )
        expect(match.unmatched.map(({ fileRule }) => fileRule)).toEqual(others)
        expect(match.missing).toEqual(triples.filter(({ fileRule }) => fileRule === null).map(({ rule }) => rule))
        expect(match.matched.map(({ fileRule }) => fileRule)).toEqual(rows)
        for (const { rule, fileRule, isRenumbered } of match.matched) {
          const triple = triples[rule.id - 1]
          if (triple === undefined) throw new Error('A row was matched to another rule')
          expect(fileRule).toBe(triple.fileRule)
          expect(isRenumbered).toBe(fileRule.stigId.startsWith('DISA'))
          checkPlan(triple, fileRule)
        }
      }),
      { numRuns: runs(1000) },
    )
  })
})

function otherRow(index: number): FileRule {
  return {
    place: `Row ${100 + index}`,
    srgId: `SRG-NEW-${index}`,
    stigId: `DISA-02-00000${index}`,
    values: { title: 'New.' },
  }
}

function checkPlan({ base, ours, expected }: Triple, fileRule: FileRule): void {
  const plan = planRule({ base, ours, fileRule, context: CONTEXT })
  const outcomes = new Map<MergedField, string>(plan.fields.map(({ field, outcome }) => [field, outcome]))
  for (const [field, expectedField] of expected)
    expect([field, outcomes.get(field) ?? 'unchanged']).toEqual([field, expectedField.outcome])
  expect(plan.unchanged + plan.fields.length).toBe(FIELDS.length)
  const after = applied(ours, plan.fields)
  for (const [field, expectedField] of expected) expect(valueOf(after, field)).toBe(expectedField.result)
  const again = planRule({ base, ours: after, fileRule, context: CONTEXT })
  const taken = again.fields.filter(({ outcome }) => outcome === 'theirs')
  expect(taken).toEqual([])
  expect(applied(after, again.fields)).toEqual(after)
}
