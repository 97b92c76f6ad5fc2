import { useQueries } from '@tanstack/vue-query'
import { computed, type ComputedRef } from 'vue'
import type { Values } from '../saving/draft.ts'
import { ruleQuery, type Rule } from './queries.ts'

/** Check and fix of the rules that satisfy a rule, to be shown instead of its own; empty if nothing satisfies it. */
export function useSatisfying(component: () => number, rule: () => Rule): ComputedRef<Values> {
  const links = computed(() => rule().satisfied_by ?? [])
  const queries = useQueries({
    // Rules of another component may not be readable.
    queries: computed(() => links.value.map(({ id }) => ({ ...ruleQuery(component(), id), retry: false }))),
  })
  return computed((): Values => {
    if (links.value.length === 0) return {}
    const checks = queries.value.flatMap(({ data }) => data?.checks_attributes ?? [])
    return {
      content: joinTexts(checks.map(({ content }) => content)),
      fixtext: joinTexts(links.value.map(({ fixtext }) => fixtext)),
    }
  })
}

function joinTexts(texts: readonly (string | null | undefined)[]): string {
  return texts.filter((text) => text != null && text !== '').join('\n\n')
}
