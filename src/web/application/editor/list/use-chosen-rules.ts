import { computed, ref, type ComputedRef, type Ref } from 'vue'
import type { PickedRule } from './use-list.ts'

/** The rules that a person has chosen for a bulk edit. */
export interface ChosenRules {
  readonly ids: Readonly<Ref<ReadonlySet<number>>>
  readonly rows: ComputedRef<readonly PickedRule[]>
  readonly toggle: (id: number) => void
  /** Chooses all rules that pass the filter, and no others. */
  readonly chooseListed: () => void
  readonly clear: () => void
}

export function useChosenRules(
  rows: () => readonly PickedRule[],
  listed: Readonly<Ref<readonly { readonly id: number }[]>>,
): ChosenRules {
  const ids = ref<ReadonlySet<number>>(new Set())
  return {
    ids,
    rows: computed(() => rows().filter(({ id }) => ids.value.has(id))),
    toggle: (id) => {
      const next = new Set(ids.value)
      if (!next.delete(id)) next.add(id)
      ids.value = next
    },
    chooseListed: () => {
      ids.value = new Set(listed.value.map(({ id }) => id))
    },
    clear: () => {
      ids.value = new Set()
    },
  }
}
