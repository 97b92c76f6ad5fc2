import { ref } from 'vue'

/** Counts refusals because a second factor has to be set up. */
export const setupNeeded = ref(0)
