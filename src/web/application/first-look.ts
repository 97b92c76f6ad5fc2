// Runs before anything is drawn, so that nobody sees the page in colours of another theme first. From then on,
// shell/menu/appearance.ts keeps the document as it is wanted.
;(() => {
  const { dataset } = document.documentElement
  const wanted = (name: string): string => {
    try {
      return localStorage.getItem(`parapet.${name}`) ?? 'system'
    } catch {
      return 'system'
    }
  }
  const matches = (query: string): boolean => matchMedia(query).matches
  const [theme, contrast, density] = ['theme', 'contrast', 'density'].map(wanted)
  const isDark = theme === 'system' ? matches('(prefers-color-scheme: dark)') : theme === 'dark'
  dataset.theme = isDark ? 'dark' : 'light'
  const needsMore = contrast === 'system' ? matches('(prefers-contrast: more)') : contrast === 'more'
  dataset.contrast = needsMore ? 'more' : 'normal'
  dataset.density = density === 'compact' ? 'compact' : 'comfortable'
})()
