/** An id of this window, new at each load. */
export const thisWindow = [...crypto.getRandomValues(new Uint32Array(2))].map((number) => number.toString(36)).join('')

const NAME = 'parapet.window'

/** The id of this window before it was reloaded. A duplicate of a window has the same one. */
export const earlierWindow = sessionStorage.getItem(NAME)
sessionStorage.setItem(NAME, thisWindow)

/** Other windows answer within this time. */
const ANSWER_WAIT_MS = 500

const channel = new BroadcastChannel('parapet.windows')
const openWindows = new Set([thisWindow])
channel.addEventListener('message', ({ data }: MessageEvent<{ readonly asked?: string; readonly here?: string }>) => {
  if (data.here !== undefined) openWindows.add(data.here)
  if (data.asked === thisWindow) channel.postMessage({ here: thisWindow })
})

/** Finds windows that are closed or asleep. Drafts taken over from them must survive if they wake up. */
export async function findClosedWindows(windows: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  for (const window of windows) {
    openWindows.delete(window)
    channel.postMessage({ asked: window })
  }
  openWindows.add(thisWindow)
  if (windows.size > 0) await new Promise((resolve) => setTimeout(resolve, ANSWER_WAIT_MS))
  return new Set([...windows].filter((window) => !openWindows.has(window)))
}
