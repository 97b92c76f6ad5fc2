import { computed, onScopeDispose, type ComputedRef, type Ref } from 'vue'
import { useRoute, useRouter, type LocationQueryRaw, type RouteLocationRaw } from 'vue-router'
import { useAddressed } from '../address.ts'
import { findRule, type Rule } from '../benchmark.ts'

export interface OpenRule {
  /** What the address names; empty where it names none. */
  readonly name: ComputedRef<string>
  readonly rule: ComputedRef<Rule | null>
  /** Its place in the list; -1 where it is not in it. */
  readonly at: ComputedRef<number>
  readonly linkTo: (rule: Rule | null) => RouteLocationRaw
  /** Opens the one so many places further down. */
  readonly step: (by: number) => Promise<void>
}

/** The rule that the address has open, beside the list of those that match. */
export function useOpenRule(
  rules: Readonly<Ref<readonly Rule[]>>,
  listed: Readonly<Ref<readonly Rule[]>>,
): OpenRule {
  const route = useRoute()
  const router = useRouter()
  const name = useAddressed('rule')
  const rule = computed(() => (name.value === '' ? null : findRule(rules.value, name.value)))
  const at = computed(() => (rule.value === null ? -1 : listed.value.indexOf(rule.value)))
  const queryOf = (one: Rule | null): LocationQueryRaw => ({ ...route.query, rule: one?.rule_id })
  return {
    ...{ name, rule, at },
    linkTo: (one) => ({ query: queryOf(one) }),
    step: async (by) => {
      const next = listed.value[rule.value === null ? 0 : at.value + by]
      if (next === undefined) return
      // One step back leads to the list, however many rules were looked at.
      await router.push({ query: queryOf(next), replace: rule.value !== null })
    },
  }
}

/** Calls it with 1 at `j` and with -1 at `k`, unless somebody is writing. */
export function useStepKeys(step: (by: number) => unknown): void {
  const listen = ({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): void => {
    if (ctrlKey || metaKey || altKey) return
    const isWriting = target instanceof HTMLElement && target.matches('input, textarea, select')
    if (isWriting || target instanceof HTMLDialogElement) return
    if (key === 'j') step(1)
    if (key === 'k') step(-1)
  }
  addEventListener('keydown', listen)
  onScopeDispose(() => {
    removeEventListener('keydown', listen)
  })
}
