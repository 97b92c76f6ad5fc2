import { reactive, ref, watchEffect, type Ref } from 'vue'
import { usePrinting } from '../../parts/printing.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export const CONTRASTS = ['system', 'normal', 'more'] as const
export const DENSITIES = ['comfortable', 'compact'] as const

type Theme = (typeof THEMES)[number]
type Contrast = (typeof CONTRASTS)[number]
type Density = (typeof DENSITIES)[number]

const NAMES = { theme: 'parapet.theme', contrast: 'parapet.contrast', density: 'parapet.density' }

/** How somebody wants to see the pages on this device. */
export const appearance = reactive<{ theme: Theme; contrast: Contrast; density: Density }>({
  theme: THEMES.find((theme) => theme === localStorage.getItem(NAMES.theme)) ?? 'system',
  contrast: CONTRASTS.find((contrast) => contrast === localStorage.getItem(NAMES.contrast)) ?? 'system',
  density: DENSITIES.find((density) => density === localStorage.getItem(NAMES.density)) ?? 'comfortable',
})

/** Keeps the document as it is wanted. */
export function applyAppearance(): void {
  const isDark = matches('(prefers-color-scheme: dark)')
  const wantsContrast = matches('(prefers-contrast: more)')
  const isPrinting = usePrinting()
  watchEffect(() => {
    const { theme, contrast, density } = appearance
    const { dataset } = document.documentElement
    const own = theme === 'system' ? (isDark.value ? 'dark' : 'light') : theme
    // Paper is light.
    dataset.theme = isPrinting.value ? 'light' : own
    dataset.contrast = contrast === 'system' ? (wantsContrast.value ? 'more' : 'normal') : contrast
    dataset.density = density
    localStorage.setItem(NAMES.theme, theme)
    localStorage.setItem(NAMES.contrast, contrast)
    localStorage.setItem(NAMES.density, density)
  })
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
