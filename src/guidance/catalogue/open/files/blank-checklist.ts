import { recordOf } from '../../../../platform/records.ts'
import { stableUuid } from '../../../../platform/stable-uuid.ts'
import { namesOf } from '../../../../tables/field-lists.ts'
import { numbersOf } from '../../benchmarks/releases.ts'
import { joinTexts } from '../../benchmarks/rule-texts.ts'
import {
  CHECKLIST_FIELDS,
  type Checklist,
  type ChecklistField,
  type ChecklistRule,
} from '../../checklists/checklist.ts'
import type { Benchmark, Rule } from '../../xccdf/benchmark.ts'
import { releaseInformationOf } from '../../xccdf/version.ts'
import { ccisOf, legacyIdsOf } from '../shape.ts'

const BLANK_ASSESSMENT = { status: 'Not_Reviewed', findingDetails: '', comments: '' } as const

/**
 * Makes a checklist of a published benchmark in which nothing has been reviewed. It depends only on the content, so it
 * is the same on every instance and after another import.
 */
export function blankChecklist(benchmark: Benchmark): Checklist {
  const { kind, benchmarkId, version, title, description, source, releaseDate } = benchmark
  const uuid = (...names: readonly (string | number)[]): string =>
    stableUuid(JSON.stringify([kind, benchmarkId, version, ...names]))
  return {
    id: uuid('checklist'),
    note: null,
    hostName: benchmarkId,
    targetKey: targetKeyOf(benchmark),
    stig: {
      uuid: uuid(),
      benchmarkId,
      title,
      description,
      version: numbersOf(version).major,
      releaseInfo: releaseInformationOf(/R(.*)$/.exec(version)?.[1] ?? '0', releaseDate),
      source,
    },
    ruleCount: benchmark.rules.length,
    rules: rulesOf(benchmark, uuid),
  }
}

function* rulesOf(
  { rules, releaseDate }: Benchmark,
  uuid: (...names: readonly (string | number)[]) => string,
): Generator<ChecklistRule, void> {
  const written = releaseDate === null ? null : `${releaseDate}T00:00:00.000Z`
  for (const [index, rule] of rules.entries())
    yield { ...ruleOf(rule), uuid: uuid('rule', index), createdAt: written, updatedAt: written }
}

/** Returns DISA's number of the product, from the references of its rules. */
function targetKeyOf({ rules }: Benchmark): string {
  return rules[0]?.references.find(({ identifier }) => identifier !== null)?.identifier ?? ''
}

function ruleOf(rule: Rule): Omit<ChecklistRule, 'uuid' | 'createdAt' | 'updatedAt'> {
  const { ruleId, groupId, groupTitle, version, severity, weight, title, checks } = rule
  return {
    ruleId,
    groupId: groupId ?? ruleId,
    groupTitle,
    version,
    severity,
    weight,
    title,
    discussion: rule.discussion.vuln_discussion,
    check: joinTexts(checks.map(({ content }) => content)),
    checkReference: { name: checks[0]?.contentRefName ?? 'M', href: checks[0]?.contentRefHref ?? '' },
    fields: fieldsOf(rule),
    legacyIds: legacyIdsOf(rule),
    ccis: ccisOf(rule),
    assessment: BLANK_ASSESSMENT,
  }
}

const FIELD_NAMES = namesOf(CHECKLIST_FIELDS)

function fieldsOf({ discussion, fixes }: Rule): Readonly<Record<ChecklistField, string | null>> {
  const fix = joinTexts(fixes.map(({ text }) => text))
  return recordOf(FIELD_NAMES, (name) => (name === 'fixtext' ? fix : (discussion[name]?.toString() ?? '')))
}
