import { computed, watch, type ComputedRef, type ShallowRef } from 'vue'
import type { Component } from '../../client/authoring.ts'
import type { Person } from '../../client/person.ts'
import { useAdvice, type Advice } from '../advice/use-advice.ts'
import { draftValues, type Draft, type Value, type Values } from '../saving/draft.ts'
import type { RuleSaver } from '../saving/saver.ts'
import { useSaver } from '../saving/use-saver.ts'
import type { Rule } from './queries.ts'
import { fieldsOf, storedIn, type RuleForm } from './values.ts'
import { readOnlyReason, visibleFields, withConflicts, type VisibleField, type RuleState } from './visible-fields.ts'

/** The open rule, for the form and the panels. */
export interface OpenRule {
  readonly saver: RuleSaver
  readonly draft: ShallowRef<Draft | null>
  /** Current values, with unsaved edits. */
  readonly values: ComputedRef<Values>
  readonly ruleState: ComputedRef<RuleState>
  readonly fields: ComputedRef<readonly VisibleField[]>
  /** Whether a field can be edited now. */
  readonly isOpen: (field: string) => boolean
  readonly write: (field: string, value: Value) => void
  /** Stores the value that a field already shows, as when somebody types in it. */
  readonly typeInto: (field: string, value: Value) => void
  readonly advice: Advice
}

interface RuleInput {
  readonly rule: Rule
  readonly component: Component
  readonly form: RuleForm
  readonly person: Person
}

export function useRule(input: RuleInput): OpenRule {
  const { component, person, form } = input
  const saver = useSaver({ person: person.id, component: component.id, rule: input.rule.id }, form)
  watch(
    () => input.rule,
    (rule) => {
      const stored = storedIn(rule, input.form)
      if (stored !== null) saver.load(stored)
    },
    { immediate: true },
  )
  const { draft } = saver
  const values = computed(() => (draft.value === null ? {} : draftValues(draft.value)))
  const ruleState = computed(() => ruleStateOf(input, values.value))
  const fields = computed(() => {
    const allFields = fieldsOf(input.form, values.value)
    const shownFields = visibleFields(allFields, values.value, ruleState.value)
    return withConflicts(allFields, shownFields, draft.value?.theirs ?? {})
  })
  const isOpen = (name: string): boolean =>
    fields.value.some(({ field, reason }) => field.name === name && reason === null)
  const write = (field: string, value: Value): void => {
    saver.edit(field, value)
  }
  const typeInto = (field: string, value: Value): void => {
    saver.type(field, value)
  }
  const advice = useAdvice(input, values)
  return { saver, draft, values, ruleState, fields, isOpen, write, typeInto, advice }
}

function ruleStateOf({ rule, component, form, person }: RuleInput, { status }: Values): RuleState {
  const { locked, review_requestor_id } = rule
  return {
    readOnlyReason: readOnlyReason({
      locked,
      review_requestor_id,
      released: component.released,
      role: component.effective_permissions,
      isSiteAdmin: person.admin,
      person: person.id,
    }),
    status: typeof status === 'string' ? status : rule.status,
    lockedSections: Object.keys(rule.locked_fields),
    satisfiedBy: (rule.satisfied_by ?? []).map(
      (satisfyingRule) => `${satisfyingRule.component_prefix}-${satisfyingRule.rule_id}`,
    ),
    srgSeverity: rule.srg_rule_attributes?.rule_severity ?? null,
    isAdvanced: form.advanced_fields,
  }
}
