import { watch, type Ref } from 'vue'
import { headerHeight } from '../head/header-height.ts'

/** Less of a record than this at the lower edge of the window shows no title. */
const TITLE_HEIGHT = 120

/**
 * Scrolls to the start of a record when another one takes its place, unless the start can be seen already. Otherwise
 * a reader who was at the end of one record would be somewhere in the middle of the next.
 */
export function useStartInView(element: Readonly<Ref<HTMLElement | null>>, record: () => number | null): void {
  watch(record, (now) => {
    if (now === null) return
    // The heights of the new record are known with the next frame; asking earlier would lay the page out twice.
    requestAnimationFrame(() => {
      if (element.value !== null && !isStartInView(element.value)) element.value.scrollIntoView()
    })
  })
}

function isStartInView(element: HTMLElement): boolean {
  const { top } = element.getBoundingClientRect()
  return top >= headerHeight() && top <= innerHeight - TITLE_HEIGHT
}
