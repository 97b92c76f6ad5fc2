import { ref } from 'vue'

const NAME = 'parapet.session-ends'
/** Time of the warning before the end of a session; half of the session if that is shorter. */
const NOTICE_MS = 120_000

/** The end of the session and the time of the warning, in milliseconds since 1970. */
interface SessionEnd {
  readonly at: number
  readonly noticeAt: number
}

/** End of the session that all windows share; null if nobody is signed in. */
export const sessionEnd = ref<SessionEnd | null>(readEnd(localStorage.getItem(NAME)))

addEventListener('storage', ({ key, newValue }) => {
  if (key === NAME) sessionEnd.value = readEnd(newValue)
})

/** Every answer by a session says how long the session lasts from then on. */
export function noteSessionEnd({ headers }: Response): void {
  const secondsLeft = headers.get('X-Session-Ends-In')
  if (secondsLeft === null) return
  const milliseconds = Number(secondsLeft) * 1000
  const end = Date.now() + milliseconds
  sessionEnd.value = { at: end, noticeAt: end - Math.min(NOTICE_MS, milliseconds / 2) }
  localStorage.setItem(NAME, JSON.stringify(sessionEnd.value))
}

/** After a sign-out. */
export function forgetSessionEnd(): void {
  sessionEnd.value = null
  localStorage.removeItem(NAME)
}

function readEnd(text: string | null): SessionEnd | null {
  try {
    const stored: unknown = JSON.parse(text ?? '{}')
    const { at, noticeAt }: Partial<SessionEnd> = typeof stored === 'object' && stored !== null ? stored : {}
    return typeof at === 'number' && typeof noticeAt === 'number' ? { at, noticeAt } : null
  } catch {
    return null
  }
}
