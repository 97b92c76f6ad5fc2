import { ref } from 'vue'

/** Whether the page that the application began with is there. What is only beside it is loaded after that. */
export const isFirstPageShown = ref(false)
