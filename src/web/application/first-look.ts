import { IS_DARK, lookOf, storedAppearance, WANTS_CONTRAST } from './shell/menu/look.ts'

/** In milliseconds. After this, text is drawn in another font. */
const FONTS_TIMEOUT_MS = 1000

// Runs before anything is drawn, so that nobody sees the page in colours of another theme first. Afterwards
// shell/menu/appearance.ts follows changes.
const device = { isDark: matchMedia(IS_DARK).matches, wantsContrast: matchMedia(WANTS_CONTRAST).matches }
Object.assign(document.documentElement.dataset, lookOf(storedAppearance(readItem), device))

// The styles are loaded, so the browser knows the fonts. With another font, text would move when they arrive.
document.documentElement.dataset.fonts = 'loading'
setTimeout(showText, FONTS_TIMEOUT_MS)
void Promise.all([document.fonts.load('1rem "Inter Variable"'), document.fonts.load('1rem "IBM Plex Mono"')]).then(
  showText,
  showText,
)

function showText(): void {
  delete document.documentElement.dataset.fonts
}

/** Browsers may deny access to the storage. */
function readItem(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}
