import { ref } from 'vue'

/** Grows each time that something is refused until a second factor is set up. */
export const setupNeeded = ref(0)
