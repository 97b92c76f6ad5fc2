import { IS_DARK, lookOf, storedAppearance, WANTS_CONTRAST } from './shell/menu/look.ts'

// Runs before anything is drawn, so that nobody sees the page in colours of another theme first. Afterwards
// shell/menu/appearance.ts follows changes.
const device = { isDark: matchMedia(IS_DARK).matches, wantsContrast: matchMedia(WANTS_CONTRAST).matches }
Object.assign(document.documentElement.dataset, lookOf(storedAppearance(read), device))

/** Browsers may forbid the storage. */
function read(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}
