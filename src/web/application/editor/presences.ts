import { onScopeDispose, shallowRef, watch, type Ref } from 'vue'
import type { components } from '#api-types'
import { answerOf, api } from '../client/api.ts'
import { channelOf } from '../client/events.ts'
import { fetchAnswer } from '../client/fetch-answer.ts'
import { ownWindow } from './saving/windows.ts'

/** Somebody who has the component open, and perhaps a rule of it. */
export type Presence = components['schemas']['RememberPresenceAnswer']['people'][number]

/** The component and rule that this window has open. */
export interface PresenceLocation {
  readonly component: number
  readonly rule: number | null
}

/** Presence is sent after this pause, so that stepping through rules does not report each of them. */
const PAUSE_MS = 800
/** The service forgets after a minute and a half. */
const AGAIN_MS = 30_000
/** After this long without activity, presence is no longer sent; it would keep the session alive for ever. */
const IDLE_MS = 120_000

/**
 * Reports this window's presence while somebody works in it, and lists everybody in the component. Null reports
 * nothing.
 */
export function usePresences(here: Readonly<Ref<PresenceLocation | null>>): Readonly<Ref<readonly Presence[]>> {
  const people = shallowRef<readonly Presence[]>([])
  const saying = new Saying((now) => {
    people.value = now
  })
  let stop: (() => void) | null = null
  watch(
    () => here.value?.component,
    (component) => {
      stop?.()
      people.value = []
      stop = component === undefined ? null : hear(component, (now) => (people.value = now))
    },
    { immediate: true },
  )
  watch(
    [() => here.value?.component, () => here.value?.rule],
    () => {
      saying.move(here.value)
    },
    { immediate: true },
  )
  onScopeDispose(() => {
    stop?.()
    saying.end()
  })
  return people
}

/** Listens to the event stream of this window or of another window of the browser. */
function hear(component: number, tell: (people: readonly Presence[]) => void): () => void {
  const channel = channelOf(component)
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const read: unknown = typeof data === 'string' ? JSON.parse(data) : null
    if (isPresenceMessage(read)) tell(read.people)
  })
  return () => {
    channel.close()
  }
}

function isPresenceMessage(read: unknown): read is { readonly people: readonly Presence[] } {
  return typeof read === 'object' && read !== null && 'people' in read && Array.isArray(read.people)
}

const INPUTS = ['keydown', 'pointerdown', 'pointermove', 'wheel', 'focus'] as const

/** Says where this window is: at once after a move, and again while somebody works in it. */
class Saying {
  readonly #told: (people: readonly Presence[]) => void
  readonly #ending = new AbortController()
  readonly #clock: ReturnType<typeof setInterval>
  #here: PresenceLocation | null = null
  #said: PresenceLocation | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #workedAt = Date.now()

  constructor(told: (people: readonly Presence[]) => void) {
    this.#told = told
    const { signal } = this.#ending
    const work = (): void => {
      const wasAway = Date.now() - this.#workedAt > IDLE_MS
      this.#workedAt = Date.now()
      if (wasAway) void this.#say()
    }
    for (const input of INPUTS) addEventListener(input, work, { signal, passive: true })
    addEventListener('pagehide', () => void this.#leave(), { signal })
    addEventListener('pageshow', () => void this.#say(), { signal })
    this.#clock = setInterval(() => {
      if (Date.now() - this.#workedAt < IDLE_MS) void this.#say()
    }, AGAIN_MS)
  }

  move(here: PresenceLocation | null): void {
    this.#here = here
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#say(), PAUSE_MS)
  }

  end(): void {
    clearTimeout(this.#timer)
    clearInterval(this.#clock)
    this.#ending.abort()
    this.#here = null
    void this.#leave()
  }

  async #say(): Promise<void> {
    const here = this.#here
    if (here === null) {
      await this.#leave()
      return
    }
    this.#said = here
    const params = { path: { id: here.component, window: ownWindow } }
    // Whether others know where one is, is not worth a word about what goes wrong.
    const answer = await answerOf(
      api.PUT('/api/components/{id}/presences/{window}', {
        params,
        body: { rule_id: here.rule },
        fetch: unasked,
      }),
    ).catch(() => null)
    if (answer !== null && here === this.#here) this.#told(answer.people)
  }

  async #leave(): Promise<void> {
    if (this.#said === null) return
    const params = { path: { id: this.#said.component, window: ownWindow } }
    this.#said = null
    await api
      .DELETE('/api/components/{id}/presences/{window}', {
        params,
        keepalive: true,
        fetch: unasked,
      })
      .catch(() => null)
  }
}

function unasked(request: Request): Promise<Response> {
  return fetchAnswer(request, { isUnasked: true })
}
