import { onScopeDispose } from 'vue'
import { isWriting } from '../parts/is-writing.ts'

/** Calls it at `/`, unless somebody is writing, and at Ctrl K or ⌘ K. */
export function useShortcut(use: () => void): void {
  const listen = (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, altKey } = event
    const isSlash = key === '/' && !ctrlKey && !metaKey && !altKey && !isWriting(event)
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
