import { onScopeDispose, shallowRef, watch, type Ref } from 'vue'
import type { components } from '#api-types'
import { answerOf, api } from '../client/api.ts'
import { channelOf } from '../client/events.ts'
import { fetchAnswer } from '../client/fetch-answer.ts'
import { thisWindow } from './saving/windows.ts'

/** A person who has the component open, and possibly one of its rules. */
export type Presence = components['schemas']['RememberPresenceAnswer']['people'][number]

/** The component and rule that this window has open. */
export interface PresenceLocation {
  readonly component: number
  readonly rule: number | null
}

/** Presence is sent after this pause, so that stepping through rules does not report each of them. */
const REPORT_DELAY_MS = 800
/** Presence is repeated at this interval; the service forgets it after a minute and a half. */
const REPORT_INTERVAL_MS = 30_000
/** After this long without activity, presence is no longer sent; it would keep the session alive for ever. */
const IDLE_MS = 120_000

/**
 * Reports this window's presence while somebody works in it, and lists everybody in the component. Null reports
 * nothing.
 */
export function usePresences(location: Readonly<Ref<PresenceLocation | null>>): Readonly<Ref<readonly Presence[]>> {
  const people = shallowRef<readonly Presence[]>([])
  const reporter = new PresenceReporter((newPeople) => {
    people.value = newPeople
  })
  let stop: (() => void) | null = null
  watch(
    () => location.value?.component,
    (component) => {
      stop?.()
      people.value = []
      stop = component === undefined ? null : listen(component, (newPeople) => (people.value = newPeople))
    },
    { immediate: true },
  )
  watch(
    [() => location.value?.component, () => location.value?.rule],
    () => {
      reporter.move(location.value)
    },
    { immediate: true },
  )
  onScopeDispose(() => {
    stop?.()
    reporter.end()
  })
  return people
}

/** Listens to the event stream of this window or of another window of the browser. */
function listen(component: number, onPeople: (people: readonly Presence[]) => void): () => void {
  const channel = channelOf(component)
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const message: unknown = typeof data === 'string' ? JSON.parse(data) : null
    if (isPresenceMessage(message)) onPeople(message.people)
  })
  return () => {
    channel.close()
  }
}

function isPresenceMessage(message: unknown): message is { readonly people: readonly Presence[] } {
  return typeof message === 'object' && message !== null && 'people' in message && Array.isArray(message.people)
}

const ACTIVITY_EVENTS = ['keydown', 'pointerdown', 'pointermove', 'wheel', 'focus'] as const

/** Reports the location of this window, after each move and regularly while somebody works in it. */
class PresenceReporter {
  readonly #onPeople: (people: readonly Presence[]) => void
  readonly #abort = new AbortController()
  readonly #interval: ReturnType<typeof setInterval>
  #location: PresenceLocation | null = null
  #reported: PresenceLocation | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #activeAt = Date.now()

  constructor(onPeople: (people: readonly Presence[]) => void) {
    this.#onPeople = onPeople
    const { signal } = this.#abort
    const noteActivity = (): void => {
      const wasIdle = Date.now() - this.#activeAt > IDLE_MS
      this.#activeAt = Date.now()
      if (wasIdle) void this.#report()
    }
    for (const input of ACTIVITY_EVENTS) addEventListener(input, noteActivity, { signal, passive: true })
    addEventListener('pagehide', () => void this.#leave(), { signal })
    addEventListener('pageshow', () => void this.#report(), { signal })
    this.#interval = setInterval(() => {
      if (Date.now() - this.#activeAt < IDLE_MS) void this.#report()
    }, REPORT_INTERVAL_MS)
  }

  move(location: PresenceLocation | null): void {
    this.#location = location
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#report(), REPORT_DELAY_MS)
  }

  end(): void {
    clearTimeout(this.#timer)
    clearInterval(this.#interval)
    this.#abort.abort()
    this.#location = null
    void this.#leave()
  }

  async #report(): Promise<void> {
    const location = this.#location
    if (location === null) {
      await this.#leave()
      return
    }
    this.#reported = location
    const params = { path: { id: location.component, window: thisWindow } }
    // A failed report is not shown, because it does not matter to the author.
    const answer = await answerOf(
      api.PUT('/api/components/{id}/presences/{window}', {
        params,
        body: { rule_id: location.rule },
        fetch: fetchInBackground,
      }),
    ).catch(() => null)
    if (answer !== null && location === this.#location) this.#onPeople(answer.people)
  }

  async #leave(): Promise<void> {
    if (this.#reported === null) return
    const params = { path: { id: this.#reported.component, window: thisWindow } }
    this.#reported = null
    await api
      .DELETE('/api/components/{id}/presences/{window}', {
        params,
        keepalive: true,
        fetch: fetchInBackground,
      })
      .catch(() => null)
  }
}

function fetchInBackground(request: Request): Promise<Response> {
  return fetchAnswer(request, { isUnasked: true })
}
