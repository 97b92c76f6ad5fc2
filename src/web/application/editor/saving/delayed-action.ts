/** Starts waiting, and returns a function that cancels it. */
type Wait = (done: () => void) => () => void

/** Runs an action once after a delay, however often it is started meanwhile. */
export class DelayedAction {
  readonly #act: () => void
  readonly #wait: Wait
  #cancel: (() => void) | null = null

  constructor(wait: Wait, act: () => void) {
    this.#wait = wait
    this.#act = act
  }

  /** Starts the delay unless it is running. */
  start(): void {
    this.#cancel ??= this.#wait(() => {
      this.flush()
    })
  }

  /** Restarts the delay. */
  restart(): void {
    this.cancel()
    this.start()
  }

  /** Runs a pending action now. */
  flush(): void {
    if (this.#cancel === null) return
    this.cancel()
    this.#act()
  }

  cancel(): void {
    this.#cancel?.()
    this.#cancel = null
  }
}

export function afterDelay(ms: number): Wait {
  return (done) => {
    const timer = setTimeout(done, ms)
    return () => {
      clearTimeout(timer)
    }
  }
}
