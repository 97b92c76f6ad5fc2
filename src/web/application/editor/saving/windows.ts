/** Of the windows of a browser, each time that one is loaded, what tells it from the others. */
export const ownWindow = [...crypto.getRandomValues(new Uint32Array(2))].map((number) => number.toString(36)).join('')

const NAME = 'parapet.window'

/** What this window was before it was loaded anew; a window that was made a copy of has the same. */
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

/** Those that are no more, or sleep; what is taken over from them must not be lost if they wake up. */
export async function goneAmong(windows: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  for (const asked of windows) {
    here.delete(asked)
    channel.postMessage({ asked })
  }
  here.add(ownWindow)
  if (windows.size > 0) await new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))
  return new Set([...windows].filter((one) => !here.has(one)))
}
