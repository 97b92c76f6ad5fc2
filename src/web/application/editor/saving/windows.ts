/** An id of this window, new at each load. */
export const ownWindow = [...crypto.getRandomValues(new Uint32Array(2))].map((number) => number.toString(36)).join('')

const NAME = 'parapet.window'

/** The id of this window before it was reloaded. A duplicate of a window has the same one. */
export const earlierWindow = sessionStorage.getItem(NAME)
sessionStorage.setItem(NAME, ownWindow)

/** In which the others answer. */
const PATIENCE_MS = 500

interface DraftMessage {
  readonly asked?: string
  readonly here?: string
}

const channel = new BroadcastChannel('parapet.windows')
const here = new Set([ownWindow])
channel.addEventListener('message', ({ data }: MessageEvent<DraftMessage>) => {
  if (data.here !== undefined) here.add(data.here)
  if (data.asked === ownWindow) channel.postMessage({ here: ownWindow })
})

/** Finds windows that are closed or asleep. Drafts taken over from them must survive if they wake up. */
export async function goneAmong(windows: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  for (const asked of windows) {
    here.delete(asked)
    channel.postMessage({ asked })
  }
  here.add(ownWindow)
  if (windows.size > 0) await new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))
  return new Set([...windows].filter((one) => !here.has(one)))
}
