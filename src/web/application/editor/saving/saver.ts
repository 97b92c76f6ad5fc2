import { ref, shallowRef } from 'vue'
import { problemOf, type Problem } from '../../client/problem.ts'
import {
  answered,
  begin,
  edit,
  isWritten,
  rebase,
  same,
  sendable,
  sending,
  settle,
  stored,
  type Draft,
  type SavedValues,
  type Value,
  type Values,
} from './draft.ts'
import { findDraft, findLeftDrafts, keep, type LeftDraft, type RuleLocation } from './kept.ts'
import { Later, untilPause } from './later.ts'
import { untilDrawn } from './until-drawn.ts'

/** `kept`: not with the service yet, but in this browser; it is tried again. `refused`: it is not until it is changed. */
export type SavingState = 'saved' | 'waiting' | 'saving' | 'kept' | 'refused' | 'signed_out'

interface SaverParts {
  readonly place: RuleLocation
  /** Stores fields on top of a version; resolves to the new version. */
  readonly send: (changes: Values, version: number) => Promise<number>
  /** Reads the stored values from a refusal because of a conflict. */
  readonly currentIn: (problem: Problem) => SavedValues | null
  readonly told: (changes: Values, version: number) => void
}

/** A refused value of a field, with the refusal. */
interface RefusedValue {
  readonly value: Value
  readonly problem: Problem
}

/** After the last key. */
const PAUSE_MS = 1000
/** Before it is tried again on top of what somebody else wrote. */
const SHORT_MS = 100
const LONGEST_WAIT_MS = 5000
/** Texts of which drawing everything that depends on them takes longer than a key may. */
const LONG = 4000
/** Before that is drawn. */
const LONG_PAUSE_MS = 200

/** Keeps what is written of one rule, in this browser at once and with the service after a pause. */
export class RuleSaver {
  /** As it is shown; while somebody types into a long text, that follows when they pause. */
  readonly draft = shallowRef<Draft | null>(null)
  readonly state = ref<SavingState>('saved')
  readonly savedAt = ref<Date | null>(null)
  readonly problem = shallowRef<Problem | null>(null)
  /** False: this browser has no room for drafts. */
  readonly isKept = ref(true)
  readonly #parts: SaverParts
  /** As it is. */
  #now: Draft | null = null
  readonly #showing = new Later(untilPause(LONG_PAUSE_MS), () => {
    this.draft.value = this.#now
  })
  readonly #keeping = new Later(untilDrawn, () => this.#keep())
  #timer: ReturnType<typeof setTimeout> | undefined
  #sending: Promise<void> | null = null
  #failures = 0
  /** Fields that the service would not take: they hold back no other until they are written differently. */
  #refused: ReadonlyMap<string, RefusedValue> = new Map()
  /** Drafts of closed windows, applied one after the other so that each builds on the result of the one before. */
  #left: readonly LeftDraft[] = []

  constructor(parts: SaverParts) {
    this.#parts = parts
  }

  get isDirty(): boolean {
    return this.#now !== null && isWritten(this.#now)
  }

  /** Takes the stored values when they are loaded for the first time or again. */
  load({ version, values }: SavedValues): void {
    if (this.#now === null) this.#begin({ version, values })
    else this.#change(rebase(this.#now, version, values))
    // An edit that could not be sent before, as without a session, may succeed now.
    const isUnderWay = this.state.value === 'waiting' || this.state.value === 'saving'
    if (this.isDirty && !isUnderWay) this.#soon(0)
  }

  edit(field: string, value: Value): void {
    if (this.#now === null) return
    this.#change(edit(this.#now, field, value))
    this.#soon(PAUSE_MS)
  }

  /** Stores a keystroke, but draws its letter before doing anything else. */
  type(field: string, value: Value): void {
    if (this.#now === null) return
    this.#now = edit(this.#now, field, value)
    this.#keeping.ask()
    this.#showing.askAgain()
    if (typeof value !== 'string' || value.length < LONG) this.#showing.now()
    this.#soon(PAUSE_MS)
  }

  /** Does what waits for letters to be drawn. */
  catchUp(): void {
    this.#keeping.now()
    this.#showing.now()
  }

  settle(field: string, taken: 'mine' | 'theirs'): void {
    if (this.#now === null) return
    this.#change(settle(this.#now, field, taken))
    this.#soon(0)
  }

  /** After what stood in the way may be gone: a session that had ended, a network that was not there. */
  goOn(): void {
    if (this.state.value === 'signed_out' || this.state.value === 'kept') void this.#save()
  }

  /** Sends what there is to send now, and what was refused once more. */
  save(): Promise<void> {
    this.#refused = new Map()
    return this.#save()
  }

  async #save(): Promise<void> {
    clearTimeout(this.#timer)
    while (this.#sending !== null) await this.#sending
    const draft = this.#now
    const changes = this.#sendable()
    if (draft === null || Object.keys(changes).length === 0) {
      this.#rest()
      return
    }
    this.#sending = this.#send(changes, draft.version)
    await this.#sending
    this.#sending = null
  }

  #begin({ version, values }: SavedValues): void {
    const kept = findDraft(this.#parts.place)
    if (kept === null) this.#show(begin(version, values))
    else this.#takeOver(kept, { version, values })
    void findLeftDrafts(this.#parts.place).then((left) => {
      this.#left = notStored(left, version, values)
      this.#takeNext()
    })
  }

  /** The stored version may be older than the draft, if the database was restored from a backup. */
  #takeOver(kept: Draft, { version, values }: SavedValues): boolean {
    const draft = { ...kept, version: Math.min(kept.version, version) }
    return this.#change(rebase(draft, version, values))
  }

  #takeNext(): void {
    const draft = this.#now
    const [left, ...others] = this.#left
    if (left === undefined || draft === null || isWritten(draft) || !this.isKept.value) return
    this.#left = others
    if (this.#takeOver(left.draft, { version: draft.version, values: draft.base })) left.forget()
    if (this.isDirty) this.#soon(0)
    else this.#takeNext()
  }

  /** False where it is not kept. */
  #change(draft: Draft): boolean {
    this.#show(draft)
    this.#left = notStored(this.#left, draft.version, draft.base)
    return this.#keep()
  }

  #show(draft: Draft): void {
    this.#showing.cancel()
    this.#now = draft
    this.draft.value = draft
  }

  #keep(): boolean {
    this.#keeping.cancel()
    this.isKept.value = this.#now === null || keep(this.#parts.place, this.#now)
    return this.isKept.value
  }

  #soon(wait: number): void {
    clearTimeout(this.#timer)
    if (this.state.value !== 'saving') this.state.value = 'waiting'
    this.#timer = setTimeout(() => void this.#save(), wait)
  }

  async #send(changes: Values, version: number): Promise<void> {
    this.state.value = 'saving'
    if (this.#now !== null) this.#change(sending(this.#now, changes))
    try {
      const next = await this.#parts.send(changes, version)
      this.#done(changes, next)
    } catch (error) {
      this.#failed(problemOf(error), changes)
    }
  }

  #done(changes: Values, version: number): void {
    this.#failures = 0
    this.savedAt.value = new Date()
    if (this.#now !== null) this.#change(stored(this.#now, changes, version))
    this.#parts.told(changes, version)
    this.#rest()
    if (Object.keys(this.#sendable()).length > 0) this.#soon(PAUSE_MS)
    else this.#takeNext()
  }

  #sendable(): Values {
    const draft = this.#now
    const held = this.#held()
    const entries = Object.entries(draft === null ? {} : sendable(draft))
    return Object.fromEntries(entries.filter(([field]) => !held.has(field)))
  }

  /** Refused fields that still have the refused value. */
  #held(): ReadonlyMap<string, RefusedValue> {
    const mine = this.#now?.mine ?? {}
    const isHeld = ([field, { value }]: readonly [string, RefusedValue]): boolean =>
      field in mine && same(mine[field], value)
    return new Map(Array.from(this.#refused).filter(isHeld))
  }

  /** Nothing is under way; what was refused still waits, and the first says why. */
  #rest(): void {
    const [first] = this.#held().values()
    this.state.value = first === undefined ? 'saved' : 'refused'
    this.problem.value = first?.problem ?? null
  }

  #failed(problem: Problem, changes: Values): void {
    const current = problem.code === 'edit_conflict' ? this.#parts.currentIn(problem) : null
    if (current !== null && this.#now !== null) {
      // After the service was set back to an earlier state, its versions are lower.
      const version = Math.min(this.#now.version, current.version)
      const draft = rebase({ ...this.#now, version }, current.version, current.values)
      this.#change(answered(draft))
      this.state.value = 'saved'
      this.#soon(SHORT_MS)
      return
    }
    // A refused edit was not stored.
    if (!problem.isPassing && this.#now !== null) this.#change(answered(this.#now))
    if (problem.status === 401) this.state.value = 'signed_out'
    else if (problem.isPassing) this.#later(problem)
    else this.#hold(problem, changes)
  }

  /** The fields that a refusal names wait, and the others are sent without them. */
  #hold(problem: Problem, changes: Values): void {
    const held = this.#held()
    const named = namedIn(problem, changes).map(([field, value]) => [field, { value, problem }] as const)
    this.#refused = new Map([...held, ...named])
    // A refusal is shown only while one of its fields waits for correction.
    const [first = { problem }] = this.#refused.values()
    this.problem.value = first.problem
    this.state.value = 'refused'
    if (named.length > 0 && Object.keys(this.#sendable()).length > 0) this.#soon(0)
  }

  #later(problem: Problem): void {
    this.#failures += 1
    const wait = problem.wait ?? Math.min(500 * 2 ** this.#failures, LONGEST_WAIT_MS)
    // Not all at the same moment, when a service is back.
    this.#soon(wait * (0.75 + Math.random() / 4))
    this.state.value = 'kept'
  }
}

/**
 * A window may have stored its edits as it closed. There is nothing to decide about them, also after this window has
 * replaced them: the drafts without the values that the service has, or had.
 */
function notStored(left: readonly LeftDraft[], version: number, values: Values): readonly LeftDraft[] {
  return left.flatMap((one) => {
    const draft = rebase(one.draft, version, values)
    if (isWritten(draft)) return [{ ...one, draft }]
    one.forget()
    return []
  })
}

/** The sent fields that a refusal names. Names of nested records end in a number. */
function namedIn({ details: { errors = [] } }: Problem, changes: Values): readonly (readonly [string, Value])[] {
  const names = new Set(errors.map(({ field }) => field))
  return Object.entries(changes).filter(([field]) => names.has(field.replace(/#.*/, '')))
}
