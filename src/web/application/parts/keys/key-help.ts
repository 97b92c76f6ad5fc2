import { ref } from 'vue'

/** Whether the list of keys is open. `?`, the menu of the header and buttons of pages open it. */
export const isKeyHelpOpen = ref(false)
