import { Refusal } from '../../../platform/errors.ts'
import { displayedName } from '../../database/rule-names.ts'
import type { AuthoredRule } from '../rules/reader.ts'
import { isLockedFor, sectionOf } from '../rules/sections.ts'

/** The fields that a lock protects. */
export function lockedFieldsAmong(rule: AuthoredRule, fields: readonly string[]): readonly string[] {
  return fields.filter((field) => isLockedFor(rule, field))
}

/** Refuses changes of locked fields: 409 `rule_locked`, with the locked sections and fields. */
export function requireUnlocked(rule: AuthoredRule, fields: readonly string[]): void {
  const locked = lockedFieldsAmong(rule, fields)
  if (locked.length === 0) return
  const name = displayedName(rule.prefix, rule.number)
  const sections = [...new Set(locked.flatMap((field) => sectionOf(field) ?? []))]
  const isLocked = rule.locked === 1
  const detail = isLocked
    ? `${name} is locked. Nothing has been changed.`
    : `${name} is locked in: ${sections.join(', ')}. Nothing has been changed.`
  throw new Refusal('rule_locked', detail, {
    toast: { title: 'The rule is locked.', message: detail, variant: 'warning' },
    rule: { id: rule.id, displayed_name: name },
    locked: isLocked,
    sections,
    fields: locked,
  })
}
