import { ref } from 'vue'

/** Whether the keys of the page are listed: by `?`, by the menu of the header, or by a button of the page. */
export const isKeyHelpOpen = ref(false)
