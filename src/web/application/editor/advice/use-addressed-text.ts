import { nextTick, watch } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import { placeIn } from '../../advice/grouping.ts'
import { useAddressed } from '../../catalogue/address.ts'
import type { Values } from '../saving/draft.ts'
import { formField, textOf, type AdvisedRule } from './advised-rule.ts'
import { reveal } from './reveal.ts'

/** Selects the text that the address names once the rule is shown, and then removes it from the address. */
export function useAddressedText(
  rule: () => AdvisedRule,
  stored: () => Values | undefined,
  isReady: () => boolean,
): void {
  const route = useRoute()
  const router = useRouter()
  const address = useAddressed('place')
  watch(
    [address, isReady],
    async ([addressedText, ready]) => {
      const place = placeIn(addressedText)
      if (place === null || !ready) return
      await router.replace({ query: { ...route.query, place: undefined } })
      await nextTick()
      const field = formField(place, rule())
      const text = stored()?.[field]
      // A text area has LF at line ends; the stored text may have CR LF.
      const offsetOf = (end: number): number => (typeof text === 'string' ? textOf(text.slice(0, end)).length : end)
      reveal({ field, start: offsetOf(place.start), end: offsetOf(place.end) })
    },
    { immediate: true },
  )
}
