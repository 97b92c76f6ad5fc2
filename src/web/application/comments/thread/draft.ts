import { reactive, ref, type Ref } from 'vue'
import { useStoredFieldsIn } from '../../client/owner/stored-fields.ts'

/**
 * Stores the draft of a comment in this browser until it is sent. The key contains the author, so that other people who
 * sign in here do not see it.
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
