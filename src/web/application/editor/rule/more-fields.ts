import { ref } from 'vue'

/** The key in local storage; there while somebody wants to see all fields on this device. */
const NAME = 'parapet.editor.more-fields'

/** Whether the fields that few rules need are unfolded. */
export const isUnfolded = ref(localStorage.getItem(NAME) !== null)

export function unfoldFields(isNow: boolean): void {
  isUnfolded.value = isNow
  if (isNow) localStorage.setItem(NAME, 'shown')
  else localStorage.removeItem(NAME)
}
