import { useQueryClient } from '@tanstack/vue-query'
import { watch, type Ref } from 'vue'
import { ruleQuery } from '../rule/queries.ts'
import type { Row } from './rows.ts'

/** Prefetches the rules before and after the open one, once it is shown. */
export function usePrefetchedNeighbours(
  component: Readonly<Ref<number>>,
  list: { readonly listed: Readonly<Ref<readonly Row[]>>; readonly openIndex: Readonly<Ref<number>> },
): void {
  const client = useQueryClient()
  watch(
    list.openIndex,
    (openIndex) => {
      if (openIndex < 0) return
      const loadRow = (index: number): Promise<unknown> => {
        const row = list.listed.value[index]
        return row === undefined
          ? Promise.resolve()
          : client.query(ruleQuery(component.value, row.id)).catch(() => null)
      }
      setTimeout(async () => {
        await loadRow(openIndex)
        for (const index of [openIndex + 1, openIndex - 1, openIndex + 2]) void loadRow(index)
      }, PREFETCH_DELAY_MS)
    },
    { immediate: true },
  )
}

/** Prefetching begins this long after a step, so that it does not delay the open rule. */
const PREFETCH_DELAY_MS = 150
