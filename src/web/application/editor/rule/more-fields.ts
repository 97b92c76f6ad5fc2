import { ref } from 'vue'

/** The key in local storage; present while all fields are unfolded on this device. */
const NAME = 'parapet.editor.more-fields'

/** Whether the fields that few rules need are unfolded. */
export const isUnfolded = ref(localStorage.getItem(NAME) !== null)

export function unfoldFields(isNow: boolean): void {
  isUnfolded.value = isNow
  if (isNow) localStorage.setItem(NAME, 'shown')
  else localStorage.removeItem(NAME)
}
