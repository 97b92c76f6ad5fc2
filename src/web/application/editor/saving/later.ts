/** Begins to wait, and returns what ends that. */
type Wait = (done: () => void) => () => void

/** Runs an action once, a little later, however often it is asked for until then. */
export class Later {
  readonly #act: () => void
  readonly #wait: Wait
  #cancel: (() => void) | null = null

  constructor(wait: Wait, act: () => void) {
    this.#wait = wait
    this.#act = act
  }

  /** Begins to wait, or goes on waiting. */
  ask(): void {
    this.#cancel ??= this.#wait(() => {
      this.now()
    })
  }

  /** Begins to wait anew. */
  askAgain(): void {
    this.cancel()
    this.ask()
  }

  /** Does what still waits. */
  now(): void {
    if (this.#cancel === null) return
    this.cancel()
    this.#act()
  }

  cancel(): void {
    this.#cancel?.()
    this.#cancel = null
  }
}

export function untilPause(ms: number): Wait {
  return (done) => {
    const timer = setTimeout(done, ms)
    return () => {
      clearTimeout(timer)
    }
  }
}
