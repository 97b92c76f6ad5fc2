import { Refusal } from '../errors.ts'

interface QueueLimit {
  /** Number of tasks that may run or wait; one more is refused with `overloaded`. */
  readonly tasks: number
  /** The sentence of that refusal. */
  readonly refusal: string
}

/** Runs one task at a time, in the order in which they were given. A task that fails does not stop the next one. */
export class WorkQueue {
  readonly #limit: QueueLimit | null
  #last: Promise<void> = Promise.resolve()
  #tasks = 0

  constructor(limit: QueueLimit | null = null) {
    this.#limit = limit
  }

  /** Settles as the task does. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#limit !== null && this.#tasks >= this.#limit.tasks) throw new Refusal('overloaded', this.#limit.refusal)
    this.#tasks += 1
    const result = this.#last.then(task)
    const countEnd = (): void => {
      this.#tasks -= 1
    }
    // The result itself is not kept, because it may be large.
    this.#last = result.then(countEnd, countEnd)
    return result
  }

  /** Resolves once every task given so far has ended. */
  async settled(): Promise<void> {
    await this.#last
  }
}
