import { computed, watch, type ComputedRef, type ShallowRef } from 'vue'
import type { Component } from '../../client/authoring.ts'
import type { Person } from '../../client/person.ts'
import { useAdvice, type Advice } from '../advice/use-advice.ts'
import { shownOf, type Draft, type Value, type Values } from '../saving/draft.ts'
import type { RuleSaver } from '../saving/saver.ts'
import { useSaver } from '../saving/use-saver.ts'
import type { Rule } from './queries.ts'
import { closedBecause, visibleFields, withUndecided, type VisibleField, type RuleState } from './showing.ts'
import { fieldsOf, storedIn, type RuleForm } from './values.ts'

/** The open rule, for the form and the panels. */
export interface OpenRule {
  readonly saver: RuleSaver
  readonly draft: ShallowRef<Draft | null>
  /** As they are written here. */
  readonly values: ComputedRef<Values>
  readonly standing: ComputedRef<RuleState>
  readonly fields: ComputedRef<readonly VisibleField[]>
  /** Whether somebody can write a field here now. */
  readonly isOpen: (field: string) => boolean
  readonly write: (field: string, value: Value) => void
  /** Stores the value that a field already shows, as when somebody types in it. */
  readonly type: (field: string, value: Value) => void
  readonly advice: Advice
}

interface RuleInput {
  readonly rule: Rule
  readonly component: Component
  readonly form: RuleForm
  readonly person: Person
}

export function useRule(parts: RuleInput): OpenRule {
  const { component, person, form } = parts
  const saver = useSaver({ person: person.id, component: component.id, rule: parts.rule.id }, form)
  watch(
    () => parts.rule,
    (now) => {
      const stored = storedIn(now, parts.form)
      if (stored !== null) saver.load(stored)
    },
    { immediate: true },
  )
  const { draft } = saver
  const values = computed(() => (draft.value === null ? {} : shownOf(draft.value)))
  const standing = computed(() => standingOf(parts, values.value))
  const fields = computed(() => {
    const all = fieldsOf(parts.form, values.value)
    const shown = visibleFields(all, values.value, standing.value)
    return withUndecided(all, shown, draft.value?.theirs ?? {})
  })
  const isOpen = (name: string): boolean =>
    fields.value.some(({ field, reason }) => field.name === name && reason === null)
  const write = (field: string, value: Value): void => {
    saver.edit(field, value)
  }
  const type = (field: string, value: Value): void => {
    saver.type(field, value)
  }
  const advice = useAdvice(parts, values)
  return { saver, draft, values, standing, fields, isOpen, write, type, advice }
}

function standingOf({ rule, component, form, person }: RuleInput, { status }: Values): RuleState {
  const { locked, review_requestor_id } = rule
  return {
    closed: closedBecause({
      locked,
      review_requestor_id,
      released: component.released,
      role: component.effective_permissions,
      isSiteAdmin: person.admin,
      person: person.id,
    }),
    status: typeof status === 'string' ? status : rule.status,
    lockedSections: Object.keys(rule.locked_fields),
    satisfiedBy: (rule.satisfied_by ?? []).map((one) => `${one.component_prefix}-${one.rule_id}`),
    srgSeverity: rule.srg_rule_attributes?.rule_severity ?? null,
    isAdvanced: form.advanced_fields,
  }
}
