/** The height of the sticky header, as the styles reserve it for targets of links. */
export function headerHeight(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingBlockStart) || 0
}
