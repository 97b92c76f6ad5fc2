import { onScopeDispose } from 'vue'

/** Calls it at `/`, unless somebody is writing, and at Ctrl K or ⌘ K. */
export function useShortcut(use: () => void): void {
  const listen = (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, altKey, target } = event
    const isSlash = key === '/' && !ctrlKey && !metaKey && !altKey && !isWriting(target)
    const isCommand = key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey
    if (!isSlash && !isCommand) return
    event.preventDefault()
    use()
  }
  addEventListener('keydown', listen)
  onScopeDispose(() => {
    removeEventListener('keydown', listen)
  })
}

function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')
}
