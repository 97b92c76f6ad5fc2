const STEP_MS = 1000
/** Beyond that many steps, two become one. */
const MOST_STEPS = 600

export interface Step {
  requests: number
  /** Answers of the service that say that it failed, and connections that ended. */
  failures: number
  readonly ms: number[]
  resident: number
}

/** Observations from outside the service, second by second. */
export class SoakRecord {
  readonly steps: Step[] = []
  readonly happenings: { readonly at: number; readonly what: string }[] = []
  readonly statuses = new Map<string, number>()
  readonly #startedAt = Date.now()
  #stepMs = STEP_MS

  get stepMs(): number {
    return this.#stepMs
  }

  answered(kind: string, status: number, ms: number): void {
    const step = this.#now()
    step.requests += 1
    if (status === 0 || status >= 500) step.failures += 1
    step.ms.push(ms)
    const key = `${kind} ${status === 0 ? 'cut' : status}`
    this.statuses.set(key, (this.statuses.get(key) ?? 0) + 1)
  }

  resident(mebibytes: number): void {
    this.#now().resident = mebibytes
  }

  happened(event: string): void {
    this.happenings.push({ at: (Date.now() - this.#startedAt) / 1000, what: event })
  }

  #now(): Step {
    const index = Math.floor((Date.now() - this.#startedAt) / this.#stepMs)
    if (index >= MOST_STEPS) {
      this.#halve()
      return this.#now()
    }
    while (this.steps.length <= index) this.steps.push({ requests: 0, failures: 0, ms: [], resident: 0 })
    const step = this.steps[index]
    if (step === undefined) throw new Error('There is no such second')
    return step
  }

  #halve(): void {
    const { steps } = this
    const pairs = steps.splice(0)
    for (let index = 0; index < pairs.length; index += 2) {
      const pair = pairs.slice(index, index + 2)
      steps.push({
        requests: pair.reduce((sum, { requests }) => sum + requests, 0),
        failures: pair.reduce((sum, { failures }) => sum + failures, 0),
        ms: pair.flatMap(({ ms }) => ms),
        resident: Math.max(...pair.map(({ resident }) => resident)),
      })
    }
    this.#stepMs *= 2
  }
}
