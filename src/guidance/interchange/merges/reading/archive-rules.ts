import { pick } from '../../../../platform/records.ts'
import { DESCRIPTION_FIELDS, namesOf, RULE_FIELDS } from '../../../../tables/field-lists.ts'
import { displayedName } from '../../../database/rule-names.ts'
import type { Archive, ArchivedComponent } from '../../archives/format/archive.ts'
import { markedChecks } from '../../exports/component/check-text.ts'
import { MERGED_COLUMNS, type FieldValue, type MergedField } from '../planning/fields.ts'
import type { MergeFile, FileRule } from './merge-file.ts'
import { notMergeable } from './refusals.ts'

/** The rules of one component of an archive: the only one, or the one with this name and prefix. */
export function archiveRules(
  { components }: Archive,
  component: { readonly name: string; readonly prefix: string },
): Pick<MergeFile, 'rules' | 'snapshots'> {
  const [first, second] = components
  const named = components.find(
    ({ component: { name, prefix } }) => name === component.name && prefix === component.prefix,
  )
  const found = named ?? (second === undefined ? first : undefined)
  if (found === undefined)
    throw notMergeable(
      `The archive has ${components.length} components, but no ${component.name} (${component.prefix}).`,
    )
  const { snapshot } = found.component
  return { rules: rulesOf(found), snapshots: snapshot === null ? [] : [snapshot] }
}

function rulesOf({ component, rules }: ArchivedComponent): readonly FileRule[] {
  return rules
    .filter(({ deleted_at }) => deleted_at === null)
    .map((rule) => {
      const stigId = displayedName(component.prefix, Number(rule.rule_id))
      return { place: stigId, srgId: rule.version ?? '', stigId, values: valuesOf(rule) }
    })
}

function valuesOf(rule: ArchivedComponent['rules'][number]): FileRule['values'] {
  const [description] = rule.disa_rule_descriptions
  const statedValues: Readonly<Record<string, FieldValue | undefined>> = {
    ...pick(rule, namesOf(RULE_FIELDS)),
    ...(description !== undefined && pick(description, namesOf(DESCRIPTION_FIELDS))),
  }
  const values: Partial<Record<MergedField, FieldValue>> = {}
  for (const name of MERGED_COLUMNS) {
    const value = statedValues[name]
    if (value !== undefined) values[name] = value
  }
  if (rule.title === null || rule.title.trim() === '') delete values.title
  return { ...values, check_content: markedChecks(rule) || null }
}
