import { reactive, ref, watchEffect, type Ref } from 'vue'
import { usePrinting } from '../../parts/drawing/printing.ts'
import { IS_DARK, lookOf, NAMES, storedAppearance, WANTS_CONTRAST } from './look.ts'

/** The display settings of this device. */
export const appearance = reactive(storedAppearance((name) => localStorage.getItem(name)))

/** Applies the settings to the document. */
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
  // Synchronously: see parts/drawing/printing.ts.
  watchEffect(apply, { flush: 'sync' })
}

/** Whether a media query matches; follows changes. */
function matches(query: string): Ref<boolean> {
  const list = matchMedia(query)
  const answer = ref(list.matches)
  list.addEventListener('change', (event) => {
    answer.value = event.matches
  })
  return answer
}
