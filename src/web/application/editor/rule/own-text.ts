import { onMounted, watch, type Ref } from 'vue'

interface OwnText {
  readonly area: Readonly<Ref<HTMLTextAreaElement | null>>
  readonly text: () => string
  /** After the text area has another text than was typed there. */
  readonly shown?: () => void
}

/**
 * A text area has what is typed by itself, and what is told of it comes back later: a binding, which holds whenever
 * anything is drawn anew, would take back what was typed meanwhile.
 */
export function useOwnText({ area, text, shown }: OwnText): void {
  const show = (): void => {
    if (area.value === null || area.value.value === text()) return
    area.value.value = text()
    shown?.()
  }
  onMounted(show)
  watch(text, show, { flush: 'post' })
}
