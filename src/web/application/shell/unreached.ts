import { ref } from 'vue'

/** Whether somebody wanted to go to a page that could not be loaded, because nothing answers. */
export const unreached = ref(false)

/** Whether an address is answered, by whatever page. */
export async function isAnswered(address: string): Promise<boolean> {
  try {
    const { status } = await fetch(address, { method: 'HEAD', cache: 'no-store' })
    return status < 500
  } catch {
    return false
  }
}
