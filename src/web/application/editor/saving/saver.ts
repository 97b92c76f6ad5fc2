import { ref, shallowRef } from 'vue'
import { problemOf, type Problem } from '../../client/problem.ts'
import {
  begin,
  edit,
  isWritten,
  rebase,
  sendable,
  settle,
  stored,
  type Draft,
  type Stored,
  type Value,
  type Values,
} from './draft.ts'
import { findKept, keep, type Place } from './kept.ts'

/** `kept`: not with the service yet, but in this browser; it is tried again. `refused`: it is not until it is changed. */
export type SavingState = 'saved' | 'waiting' | 'saving' | 'kept' | 'refused' | 'signed_out'

interface SaverParts {
  readonly place: Place
  /** Stores fields on top of a version; resolves to the new version. */
  readonly send: (changes: Values, version: number) => Promise<number>
  /** What the service has now, in a refusal that says that somebody was faster. */
  readonly currentIn: (problem: Problem) => Stored | null
  readonly told: (changes: Values, version: number) => void
}

/** After the last key. */
const PAUSE_MS = 1500
/** Before it is tried again on top of what somebody else wrote. */
const SHORT_MS = 100
const LONGEST_WAIT_MS = 20_000

/** Keeps what is written of one rule, in this browser at once and with the service after a pause. */
export class RuleSaver {
  readonly draft = shallowRef<Draft | null>(null)
  readonly state = ref<SavingState>('saved')
  readonly savedAt = ref<Date | null>(null)
  readonly problem = shallowRef<Problem | null>(null)
  /** False: this browser has no room for drafts. */
  readonly isKept = ref(true)
  readonly #parts: SaverParts
  #timer: ReturnType<typeof setTimeout> | undefined
  #sending: Promise<void> | null = null
  #failures = 0

  constructor(parts: SaverParts) {
    this.#parts = parts
  }

  get isDirty(): boolean {
    return this.draft.value !== null && isWritten(this.draft.value)
  }

  /** What the service has, as it is asked for first or again. */
  load({ version, values }: Stored): void {
    const there = this.draft.value ?? findKept(this.#parts.place)
    if (there === null) this.draft.value = begin(version, values)
    else this.#change(rebase(there, version, values))
    // What could not be sent before, such as without a session, may be sent now.
    const isUnderWay = this.state.value === 'waiting' || this.state.value === 'saving'
    if (this.isDirty && !isUnderWay) this.#soon(0)
  }

  edit(field: string, value: Value): void {
    if (this.draft.value === null) return
    this.#change(edit(this.draft.value, field, value))
    this.#soon(PAUSE_MS)
  }

  settle(field: string, taken: 'mine' | 'theirs'): void {
    if (this.draft.value === null) return
    this.#change(settle(this.draft.value, field, taken))
    this.#soon(0)
  }

  /** Sends what there is to send now. */
  async save(): Promise<void> {
    clearTimeout(this.#timer)
    if (this.#sending !== null) await this.#sending
    const draft = this.draft.value
    const changes = draft === null ? {} : sendable(draft)
    if (draft === null || Object.keys(changes).length === 0) {
      this.state.value = 'saved'
      return
    }
    this.#sending = this.#send(changes, draft.version)
    await this.#sending
    this.#sending = null
  }

  #change(draft: Draft): void {
    this.draft.value = draft
    this.isKept.value = keep(this.#parts.place, draft)
  }

  #soon(wait: number): void {
    clearTimeout(this.#timer)
    if (this.state.value !== 'saving') this.state.value = 'waiting'
    this.#timer = setTimeout(() => void this.save(), wait)
  }

  async #send(changes: Values, version: number): Promise<void> {
    this.state.value = 'saving'
    try {
      const next = await this.#parts.send(changes, version)
      this.#done(changes, next)
    } catch (error) {
      this.#failed(problemOf(error))
    }
  }

  #done(changes: Values, version: number): void {
    this.#failures = 0
    this.problem.value = null
    this.savedAt.value = new Date()
    if (this.draft.value !== null) this.#change(stored(this.draft.value, changes, version))
    this.#parts.told(changes, version)
    this.state.value = 'saved'
    if (this.draft.value !== null && Object.keys(sendable(this.draft.value)).length > 0)
      this.#soon(PAUSE_MS)
  }

  #failed(problem: Problem): void {
    const current = problem.code === 'edit_conflict' ? this.#parts.currentIn(problem) : null
    if (current !== null && this.draft.value !== null) {
      // After the service was set back to an earlier state, its versions are lower.
      const version = Math.min(this.draft.value.version, current.version)
      this.#change(rebase({ ...this.draft.value, version }, current.version, current.values))
      this.state.value = 'saved'
      this.#soon(SHORT_MS)
      return
    }
    this.problem.value = problem
    if (problem.status === 401) this.state.value = 'signed_out'
    else if (problem.isPassing) this.#later(problem)
    else this.state.value = 'refused'
  }

  #later(problem: Problem): void {
    this.#failures += 1
    const wait = problem.wait ?? Math.min(500 * 2 ** this.#failures, LONGEST_WAIT_MS)
    this.#soon(wait)
    this.state.value = 'kept'
  }
}
