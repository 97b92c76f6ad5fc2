import { onMounted, watch } from 'vue'

interface UncontrolledField {
  /** A text area or a similar control; null until it is mounted. */
  readonly field: () => { value: string } | null
  readonly text: () => string
}

/**
 * Sets the text of a control only when the text changes. A binding of `value` would be applied at every render, and
 * would undo letters that were typed meanwhile.
 */
export function useUncontrolledText({ field, text }: UncontrolledField): void {
  const update = (): void => {
    const element = field()
    if (element !== null && element.value !== text()) element.value = text()
  }
  onMounted(update)
  watch(text, update, { flush: 'post' })
}
