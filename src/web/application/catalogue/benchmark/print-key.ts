import { onScopeDispose } from 'vue'

/** Replaces the browser's print key, so that the texts for printing are loaded first. */
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
