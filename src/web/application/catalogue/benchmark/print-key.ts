import { onScopeDispose } from 'vue'

/** Prints by `print` where the browser would at once: texts that paper needs are loaded before. */
export function usePrintKey(print: () => unknown): void {
  const listen = (event: KeyboardEvent): void => {
    const isPrint = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key === 'p'
    if (!isPrint) return
    event.preventDefault()
    print()
  }
  addEventListener('keydown', listen)
  onScopeDispose(() => {
    removeEventListener('keydown', listen)
  })
}
