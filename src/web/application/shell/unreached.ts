import { ref } from 'vue'

/** Whether a page could not be loaded because the service does not answer. */
export const unreached = ref(false)

/** Whether the server answers at an address, also with an error. */
export async function isAnswered(address: string): Promise<boolean> {
  try {
    const { status } = await fetch(address, { method: 'HEAD', cache: 'no-store' })
    return status < 500
  } catch {
    return false
  }
}
