import { nextTick, ref } from 'vue'
import type { Router } from 'vue-router'
import type { ToastAnswer } from './toast-answer.ts'

/** The page's message about the last action. */
export const statusMessage = ref('')

/** A message for the next page. */
let farewell = ''

/** Shows a message in a live region and focuses it. */
export async function showStatus(text: string): Promise<void> {
  statusMessage.value = text
  if (text === '') return
  await nextTick()
  document.getElementById('status')?.focus()
}

/** Announces the confirmation of a change. */
export async function showToast({ toast }: ToastAnswer): Promise<void> {
  await showStatus(`${toast.title} ${toast.message}`)
}

/** Goes to another page, which shows the message. */
export async function leaveWithMessage(router: Router, path: string, message = ''): Promise<void> {
  farewell = message
  await router.push(path)
}

export async function showMessageOfLeave(): Promise<void> {
  const text = farewell
  farewell = ''
  await showStatus(text)
}
