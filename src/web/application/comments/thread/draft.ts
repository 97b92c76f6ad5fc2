import { ref, watch, type Ref } from 'vue'

const PREFIX = 'parapet.comment.'

/** What somebody writes, kept in this browser until it is sent: a reload or the end of a session loses nothing. */
export function useDraft(name: string, initial: string): { text: Ref<string>; forget: () => void } {
  const key = PREFIX + name
  const text = ref(localStorage.getItem(key) ?? initial)
  const forget = (): void => {
    localStorage.removeItem(key)
  }
  watch(text, (typed) => {
    try {
      if (typed === initial) forget()
      else localStorage.setItem(key, typed)
    } catch {
      // The browser keeps nothing; what is typed is still in the field.
    }
  })
  return { text, forget }
}
