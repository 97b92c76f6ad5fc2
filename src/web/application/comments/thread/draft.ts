import { reactive, ref, type Ref } from 'vue'
import { useKept } from '../../client/owner/kept-fields.ts'

/**
 * What somebody writes about a comment, kept in this browser until it is sent, whichever page it is written at. It is
 * kept under who writes it, so that nobody else who signs in here sees it.
 */
export function useDraft(name: string, initial: string): { text: Ref<string>; forget: () => void } {
  const text = ref(initial)
  const forget = useKept(reactive({ text }), {
    storage: localStorage,
    prefix: 'parapet.comment.',
    name: () => name,
  })
  return { text, forget }
}
