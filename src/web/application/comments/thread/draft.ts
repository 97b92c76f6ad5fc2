import { reactive, ref, type Ref } from 'vue'
import { useStoredFieldsIn } from '../../client/owner/stored-fields.ts'

/**
 * Keeps a text about a comment in this browser until it is sent, across pages. The key contains the author, so that
 * nobody else who signs in here sees it.
 */
export function useDraft(name: string, initial: string): { text: Ref<string>; forget: () => void } {
  const text = ref(initial)
  const forget = useStoredFieldsIn(reactive({ text }), {
    storage: localStorage,
    prefix: 'parapet.comment.',
    name: () => name,
  })
  return { text, forget }
}
