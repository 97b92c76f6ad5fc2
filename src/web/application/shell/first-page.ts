import { ref } from 'vue'

/** Whether the first page is shown. Additions, such as the number in the header, are loaded afterwards. */
export const isFirstPageShown = ref(false)
