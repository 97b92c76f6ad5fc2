import { ref } from 'vue'

/** Whether the page that the application began with is there. Additions to it, such as the number in the header, load later. */
export const isFirstPageShown = ref(false)
