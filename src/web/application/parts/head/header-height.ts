/** The height that the sticky header covers, as the browser keeps it free for the targets of links. */
export function headerHeight(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingBlockStart) || 0
}
