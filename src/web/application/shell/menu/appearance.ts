import { reactive, ref, watchEffect, type Ref } from 'vue'
import { usePrinting } from '../../parts/drawing/printing.ts'
import { IS_DARK, lookOf, NAMES, storedAppearance, WANTS_CONTRAST } from './look.ts'

/** How somebody wants to see the pages on this device. */
export const appearance = reactive(storedAppearance((name) => localStorage.getItem(name)))

/** Keeps the document as it is wanted. */
export function applyAppearance(): void {
  const isDark = matches(IS_DARK)
  const wantsContrast = matches(WANTS_CONTRAST)
  const isPrinting = usePrinting()
  const apply = (): void => {
    const { theme, contrast, density } = appearance
    const { dataset } = document.documentElement
    Object.assign(dataset, lookOf(appearance, { isDark: isDark.value, wantsContrast: wantsContrast.value }))
    // Paper is light.
    if (isPrinting.value) dataset.theme = 'light'
    localStorage.setItem(NAMES.theme, theme)
    localStorage.setItem(NAMES.contrast, contrast)
    localStorage.setItem(NAMES.density, density)
  }
  // At once: see parts/printing.ts.
  watchEffect(apply, { flush: 'sync' })
}

/** Whether this device asks for it, now and after it changes its mind. */
function matches(query: string): Ref<boolean> {
  const list = matchMedia(query)
  const answer = ref(list.matches)
  list.addEventListener('change', (event) => {
    answer.value = event.matches
  })
  return answer
}
