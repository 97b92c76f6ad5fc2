import { reactive, ref, watchEffect } from 'vue'
import { usePrinting } from '../parts/printing.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export const DENSITIES = ['comfortable', 'compact'] as const

type Theme = (typeof THEMES)[number]
type Density = (typeof DENSITIES)[number]

const NAMES = { theme: 'parapet.theme', density: 'parapet.density' }

/** How somebody wants to see the pages on this device. */
export const appearance = reactive<{ theme: Theme; density: Density }>({
  theme: THEMES.find((theme) => theme === localStorage.getItem(NAMES.theme)) ?? 'system',
  density: DENSITIES.find((density) => density === localStorage.getItem(NAMES.density)) ?? 'comfortable',
})

const systemIsDark = matchMedia('(prefers-color-scheme: dark)')

/** Keeps the document as it is wanted. */
export function applyAppearance(): void {
  const isDark = ref(systemIsDark.matches)
  const isPrinting = usePrinting()
  systemIsDark.addEventListener('change', ({ matches }) => {
    isDark.value = matches
  })
  watchEffect(() => {
    const { theme, density } = appearance
    const { dataset } = document.documentElement
    const own = theme === 'system' ? (isDark.value ? 'dark' : 'light') : theme
    // Paper is light.
    dataset.theme = isPrinting.value ? 'light' : own
    dataset.density = density
    localStorage.setItem(NAMES.theme, theme)
    localStorage.setItem(NAMES.density, density)
  })
}
