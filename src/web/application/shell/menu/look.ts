export const THEMES = ['system', 'light', 'dark'] as const
export const CONTRASTS = ['system', 'normal', 'more'] as const
export const DENSITIES = ['comfortable', 'compact'] as const
type Contrast = (typeof CONTRASTS)[number]
type Density = (typeof DENSITIES)[number]

/** The display settings of a device. */
export interface Appearance {
  theme: (typeof THEMES)[number]
  contrast: Contrast
  density: Density
}

/** Names in the storage of the browser. */
export const NAMES = { theme: 'parapet.theme', contrast: 'parapet.contrast', density: 'parapet.density' }

/** Reads the stored choices; anything unknown is the default. */
export function storedAppearance(read: (name: string) => string | null): Appearance {
  const [theme, contrast, density] = [read(NAMES.theme), read(NAMES.contrast), read(NAMES.density)]
  return {
    theme: THEMES.find((name) => name === theme) ?? 'system',
    contrast: CONTRASTS.find((name) => name === contrast) ?? 'system',
    density: DENSITIES.find((name) => name === density) ?? 'comfortable',
  }
}

/** The data attributes of the document that the styles depend on. */
export function lookOf(
  { theme, contrast, density }: Appearance,
  device: { readonly isDark: boolean; readonly wantsContrast: boolean },
): Readonly<Record<keyof Appearance, string>> {
  return {
    theme: theme === 'system' ? (device.isDark ? 'dark' : 'light') : theme,
    contrast: contrast === 'system' ? (device.wantsContrast ? 'more' : 'normal') : contrast,
    density,
  }
}

/** Media queries for the preferences of the device. */
export const IS_DARK = '(prefers-color-scheme: dark)'
export const WANTS_CONTRAST = '(prefers-contrast: more)'
