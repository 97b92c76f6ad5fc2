import { useQueryClient } from '@tanstack/vue-query'
import { watch, type Ref } from 'vue'
import { ruleQuery } from '../rule/queries.ts'
import type { Row } from './rows.ts'

/** Asks for the rules before and after the open one ahead of time, once that is shown. */
export function useNeighbours(
  component: Readonly<Ref<number>>,
  list: { readonly listed: Readonly<Ref<readonly Row[]>>; readonly at: Readonly<Ref<number>> },
): void {
  const client = useQueryClient()
  watch(
    list.at,
    (at) => {
      if (at < 0) return
      setTimeout(() => {
        for (const near of [at + 1, at - 1, at + 2]) {
          const row = list.listed.value[near]
          if (row !== undefined) void client.query(ruleQuery(component.value, row.id)).catch(() => null)
        }
      }, PAUSE_MS)
    },
    { immediate: true },
  )
}

/** After the rule itself, and what it asks for, has been shown. */
const PAUSE_MS = 150
