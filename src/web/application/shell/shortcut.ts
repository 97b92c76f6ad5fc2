import { onScopeDispose } from 'vue'
import { isWriting } from '../parts/is-writing.ts'

/** Calls a function on `/`, except in text fields, and on Ctrl K or ⌘ K. */
export function useShortcut(use: () => void): void {
  useKey((event) => isPlain(event, '/') || isCommand(event), use)
}

/** Calls a function on `?`, except in text fields and on pages that use the key themselves. */
export function useHelpKey(use: () => void, isOfPage: () => boolean): void {
  useKey((event) => isPlain(event, '?') && !isOfPage(), use)
}

function isPlain(event: KeyboardEvent, key: string): boolean {
  const { ctrlKey, metaKey, altKey } = event
  return event.key === key && !ctrlKey && !metaKey && !altKey && !isWriting(event)
}

function isCommand({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey
}

function useKey(isMeant: (event: KeyboardEvent) => boolean, use: () => void): void {
  const listen = (event: KeyboardEvent): void => {
    if (!isMeant(event)) return
    event.preventDefault()
    use()
  }
  addEventListener('keydown', listen)
  onScopeDispose(() => {
    removeEventListener('keydown', listen)
  })
}
