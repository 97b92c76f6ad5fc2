import { useQueryClient, type QueryClient } from '@tanstack/vue-query'
import { onScopeDispose, toValue, watch, type MaybeRefOrGetter } from 'vue'
import { EVENT_KINDS } from '../../../tables/event-kinds.ts'

/** A change, without texts. */
export interface ComponentEvent {
  readonly id: number
  readonly kind: string
  readonly created_at: string
  readonly actor: string
  readonly component_id: number | null
  readonly data: Readonly<Record<string, unknown>>
}

const KINDS = [...EVENT_KINDS, 'gap']

/** Delay before a refused stream is requested again. */
const AGAIN_MS = 3000
/** Events within this time are reported together. */
const TOGETHER_MS = 100
/** During continuous changes, events are reported at this interval, because pages reload data each time. */
const OFTEN_MS = 1000
/** If a stream opens later than this after its page was loaded, the page may have missed something. */
const LATE_MS = 500

type OnEvents = (events: readonly ComponentEvent[]) => void

/**
 * Follows the changes of a component while the page is open, and refreshes the queries that they affect (keys that
 * begin with `['component', number]`). `restOf` may handle events first, and returns those that it has not handled.
 */
export function useEvents(
  component: MaybeRefOrGetter<number>,
  restOf: (events: readonly ComponentEvent[]) => readonly ComponentEvent[] = (events) => events,
): void {
  const client = useQueryClient()
  let stop: (() => void) | null = null
  watch(
    () => toValue(component),
    (id) => {
      stop?.()
      stop = follow(id, {
        onEvents: (events) => {
          if (restOf(events).length > 0) void client.invalidateQueries({ queryKey: ['component', id] })
        },
        loadedAt: () => loadedAt(client, id),
      })
    },
    { immediate: true },
  )
  onScopeDispose(() => {
    stop?.()
  })
}

/** The time of the oldest answer below `['component', number]`; null before the first answer. */
function loadedAt(client: QueryClient, id: number): number | null {
  const queries = client.getQueryCache().findAll({ queryKey: ['component', id] })
  const times = queries.map(({ state }) => state.dataUpdatedAt).filter((time) => time > 0)
  return times.length === 0 ? null : Math.min(...times)
}

/** The channel that passes events from one window to all windows of the browser with the same component. */
export function channelOf(component: number): BroadcastChannel {
  return new BroadcastChannel(`parapet.events.${component}`)
}

interface Page {
  readonly onEvents: OnEvents
  readonly loadedAt: () => number | null
}

/** Windows of the same browser share one stream: a browser keeps few connections to one service open. */
function follow(component: number, { onEvents, loadedAt }: Page): () => void {
  const channel = channelOf(component)
  const receive = batchEvents(onEvents)
  const leaving = new AbortController()
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const event = parseEvent(data)
    if (event !== null) receive(event)
  })
  const began = performance.now()
  const lead = (): Promise<void> => {
    const shareText = (text: string): void => {
      channel.postMessage(text)
      const event = parseEvent(text)
      if (event !== null) receive(event)
    }
    // Events may have been missed since the window that listened before was closed.
    const isLate = performance.now() - began > LATE_MS
    return listen(component, leaving.signal, { onText: shareText, loadedAt, isLate })
  }
  // Only pages of a secure origin have locks.
  if ('locks' in navigator) {
    const { signal } = leaving
    navigator.locks.request(`parapet.events.${component}`, { signal }, lead).catch(() => null)
  } else void lead()
  return () => {
    leaving.abort()
    channel.close()
  }
}

function batchEvents(onEvents: OnEvents): (event: ComponentEvent) => void {
  let waiting: ComponentEvent[] = []
  let calledAt = -Infinity
  return (event) => {
    waiting.push(event)
    if (waiting.length > 1) return
    const wait = Math.max(TOGETHER_MS, calledAt + OFTEN_MS - performance.now())
    setTimeout(() => {
      const pending = waiting
      waiting = []
      calledAt = performance.now()
      onEvents(pending)
    }, wait)
  }
}

interface Listening extends Pick<Page, 'loadedAt'> {
  readonly onText: (text: string) => void
  /** Whether earlier events may have been missed. */
  readonly isLate: boolean
}

/** Resolves when the stream has ended. */
async function listen(component: number, signal: AbortSignal, listening: Listening): Promise<void> {
  for (let round = 0; !signal.aborted; round += 1) {
    await listenOnce(component, signal, { ...listening, isLate: listening.isLate || round > 0 })
    await pause(AGAIN_MS, signal)
  }
}

/** A broken stream continues by itself where it stopped; a refused one does not. */
function listenOnce(component: number, signal: AbortSignal, { onText, loadedAt, isLate }: Listening): Promise<void> {
  return new Promise((resolve) => {
    const stream = new EventSource(`/api/events?component_id=${component}&presences=true`)
    const end = (): void => {
      removeEventListener('online', end)
      stream.close()
      resolve()
    }
    /** Id of the last event; without one, a broken stream cannot continue where it stopped. */
    let hasPlace = false
    for (const kind of [...KINDS, 'presences'])
      stream.addEventListener(kind, ({ data, lastEventId }: MessageEvent<unknown>) => {
        hasPlace ||= lastEventId !== ''
        if (typeof data === 'string') onText(data)
      })
    const began = Date.now()
    // A slow network delays the stream and the data alike. Data that arrive after the stream opened are complete.
    const waited = (): number => Date.now() - Math.max(began, loadedAt() ?? Infinity)
    let isMissed = isLate
    let isOpened = false
    stream.addEventListener('open', () => {
      isMissed ||= !isOpened && waited() > LATE_MS
      if (isMissed && !hasPlace) onText('{}')
      isOpened = true
      isMissed = false
    })
    stream.addEventListener('error', () => {
      isMissed = true
      if (stream.readyState === EventSource.CLOSED) end()
    })
    // It may take minutes until the browser notices that the connection of a silent stream is lost.
    addEventListener('online', end, { once: true })
    signal.addEventListener('abort', end, { once: true })
  })
}

function pause(wait: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, signal.aborted ? 0 : wait)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** The pseudo event for a gap in the stream: anything may have changed. */
function parseEvent(text: unknown): ComponentEvent | null {
  if (typeof text !== 'string') return null
  const event: unknown = JSON.parse(text)
  // Presence is not a change.
  if (typeof event !== 'object' || event === null || 'people' in event) return null
  const pending: Partial<ComponentEvent> = event
  return { ...GAP_EVENT, ...pending }
}

const GAP_EVENT: ComponentEvent = {
  id: 0,
  kind: 'gap',
  created_at: '',
  actor: '',
  component_id: null,
  data: {},
}
