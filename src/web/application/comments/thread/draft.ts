import { ref, watch, type Ref } from 'vue'
import { usePerson } from '../../client/person.ts'

const PREFIX = 'parapet.comment.'

/**
 * What somebody writes, kept in this browser until it is sent: a reload or the end of a session loses nothing. It is
 * kept under who writes it, so that nobody else who signs in here sees it.
 */
export function useDraft(name: string, initial: string): { text: Ref<string>; forget: () => void } {
  const { person } = usePerson()
  const text = ref(initial)
  /** Null until it is known who writes; after the end of their session it is still theirs. */
  let key: string | null = null
  const forget = (): void => {
    if (key !== null) localStorage.removeItem(key)
  }
  const keep = (): void => {
    try {
      if (text.value === initial) forget()
      else if (key !== null) localStorage.setItem(key, text.value)
    } catch {
      // The browser keeps nothing; what is typed is still in the field.
    }
  }
  watch(
    person,
    (writer) => {
      if (writer === null || key !== null) return
      key = `${PREFIX}${writer.id}.${name}`
      if (text.value === initial) text.value = localStorage.getItem(key) ?? initial
      else keep()
    },
    { immediate: true },
  )
  watch(text, keep)
  return { text, forget }
}
