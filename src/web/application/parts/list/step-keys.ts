import { onScopeDispose } from 'vue'

/** Calls a function with 1 on `j` and with -1 on `k`, except in text fields. */
export function useStepKeys(step: (by: number) => unknown): void {
  const listen = ({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): void => {
    if (ctrlKey || metaKey || altKey) return
    const isWriting = target instanceof HTMLElement && target.matches('input, textarea, select')
    const isInDialog = target instanceof Element && target.closest('dialog[open]') !== null
    if (isWriting || isInDialog) return
    if (key === 'j') step(1)
    if (key === 'k') step(-1)
  }
  addEventListener('keydown', listen)
  onScopeDispose(() => {
    removeEventListener('keydown', listen)
  })
}
