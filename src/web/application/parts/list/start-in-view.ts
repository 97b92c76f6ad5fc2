import { watch, type Ref } from 'vue'
import { headerHeight } from '../head/header-height.ts'

/** If less of a record is visible at the lower edge of the window, its title is not. */
const TITLE_HEIGHT = 120

/**
 * Scrolls to the start of a record when it replaces another one, unless the start is visible. Otherwise, after the end
 * of one record, the reader would be in the middle of the next.
 */
export function useStartInView(element: Readonly<Ref<HTMLElement | null>>, record: () => number | null): void {
  watch(record, (newRecord) => {
    if (newRecord === null) return
    // The heights of the new record are known in the next frame; reading them earlier would cause a second layout.
    requestAnimationFrame(() => {
      if (element.value !== null && !isStartInView(element.value)) element.value.scrollIntoView()
    })
  })
}

function isStartInView(element: HTMLElement): boolean {
  const { top } = element.getBoundingClientRect()
  return top >= headerHeight() && top <= innerHeight - TITLE_HEIGHT
}
