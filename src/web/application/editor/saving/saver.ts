import { ref, shallowRef } from 'vue'
import { problemOf, type Problem } from '../../client/problem.ts'
import { afterDrawing } from './after-drawing.ts'
import { DelayedAction, afterDelay } from './delayed-action.ts'
import {
  withoutSent,
  emptyDraft,
  edit,
  hasEdits,
  rebase,
  isSameValue,
  sendableEdits,
  withSent,
  settle,
  afterSave,
  type Draft,
  type SavedValues,
  type Value,
  type Values,
} from './draft.ts'
import { findDraft, findAbandonedDrafts, storeDraft, type AbandonedDraft, type RuleLocation } from './stored-drafts.ts'

/**
 * `retrying`: not saved yet, but stored in this browser. `refused`: not retried until the value is changed.
 */
export type SavingState = 'saved' | 'waiting' | 'saving' | 'retrying' | 'refused' | 'signed_out'

interface SaverOptions {
  readonly location: RuleLocation
  /** Stores fields on top of a version; resolves to the new version. */
  readonly send: (changes: Values, version: number) => Promise<number>
  /** Reads the stored values from a refusal because of a conflict. */
  readonly readCurrent: (problem: Problem) => SavedValues | null
  readonly onSaved: (changes: Values, version: number) => void
}

/** A refused value of a field, with the refusal. */
interface RefusedValue {
  readonly value: Value
  readonly problem: Problem
}

/** Edits are saved this long after the last key. */
const SAVE_DELAY_MS = 1000
/** Delay before saving again after a conflict. */
const REBASE_DELAY_MS = 100
const MAX_RETRY_MS = 5000
/** For longer texts, drawing everything that depends on them at each key would be too slow. */
const LONG_TEXT_LENGTH = 4000
/** Long texts are drawn elsewhere this long after the last key. */
const LONG_TEXT_DRAW_MS = 200

/** Saves the edits of one rule: in this browser at once, and to the service after a pause. */
export class RuleSaver {
  /** The shown draft. While somebody types into a long text, it is updated in pauses. */
  readonly draft = shallowRef<Draft | null>(null)
  readonly state = ref<SavingState>('saved')
  readonly savedAt = ref<Date | null>(null)
  readonly problem = shallowRef<Problem | null>(null)
  /** False if this browser has no space for drafts. */
  readonly isStored = ref(true)
  readonly #options: SaverOptions
  /** The current draft. */
  #latest: Draft | null = null
  readonly #drawing = new DelayedAction(afterDelay(LONG_TEXT_DRAW_MS), () => {
    this.draft.value = this.#latest
  })
  readonly #storing = new DelayedAction(afterDrawing, () => this.#store())
  #timer: ReturnType<typeof setTimeout> | undefined
  #sending: Promise<void> | null = null
  #failures = 0
  /** Refused fields, which are not sent again until they change. Other fields are sent without them. */
  #refused: ReadonlyMap<string, RefusedValue> = new Map()
  /** Drafts of closed windows, applied one after the other so that each builds on the result of the one before. */
  #abandoned: readonly AbandonedDraft[] = []

  constructor(options: SaverOptions) {
    this.#options = options
  }

  get isDirty(): boolean {
    return this.#latest !== null && hasEdits(this.#latest)
  }

  /** Takes the stored values when they are loaded for the first time or again. */
  load({ version, values }: SavedValues): void {
    if (this.#latest === null) this.#start({ version, values })
    else this.#change(rebase(this.#latest, version, values))
    // An edit that could not be sent before, as without a session, may succeed now.
    const isUnderWay = this.state.value === 'waiting' || this.state.value === 'saving'
    if (this.isDirty && !isUnderWay) this.#schedule(0)
  }

  edit(field: string, value: Value): void {
    if (this.#latest === null) return
    this.#change(edit(this.#latest, field, value))
    this.#schedule(SAVE_DELAY_MS)
  }

  /** Stores a keystroke, but draws its letter before doing anything else. */
  type(field: string, value: Value): void {
    if (this.#latest === null) return
    this.#latest = edit(this.#latest, field, value)
    this.#storing.start()
    this.#drawing.restart()
    if (typeof value !== 'string' || value.length < LONG_TEXT_LENGTH) this.#drawing.flush()
    this.#schedule(SAVE_DELAY_MS)
  }

  /** Runs pending work of keystrokes now. */
  flush(): void {
    this.#storing.flush()
    this.#drawing.flush()
  }

  settle(field: string, choice: 'mine' | 'theirs'): void {
    if (this.#latest === null) return
    this.#change(settle(this.#latest, field, choice))
    this.#schedule(0)
  }

  /** Saves again after a sign-in or when the network is back. */
  resume(): void {
    if (this.state.value === 'signed_out' || this.state.value === 'retrying') void this.#save()
  }

  /** Sends all edits now, including refused ones. */
  save(): Promise<void> {
    this.#refused = new Map()
    return this.#save()
  }

  async #save(): Promise<void> {
    clearTimeout(this.#timer)
    while (this.#sending !== null) await this.#sending
    const draft = this.#latest
    const changes = this.#sendableEdits()
    if (draft === null || Object.keys(changes).length === 0) {
      this.#setIdle()
      return
    }
    this.#sending = this.#send(changes, draft.version)
    await this.#sending
    this.#sending = null
  }

  #start({ version, values }: SavedValues): void {
    const stored = findDraft(this.#options.location)
    if (stored === null) this.#setDraft(emptyDraft(version, values))
    else this.#takeOver(stored, { version, values })
    void findAbandonedDrafts(this.#options.location).then((abandoned) => {
      this.#abandoned = withoutStored(abandoned, version, values)
      this.#takeNextAbandoned()
    })
  }

  /** The stored version may be older than the draft, if the database was restored from a backup. */
  #takeOver(stored: Draft, { version, values }: SavedValues): boolean {
    const draft = { ...stored, version: Math.min(stored.version, version) }
    return this.#change(rebase(draft, version, values))
  }

  #takeNextAbandoned(): void {
    const draft = this.#latest
    const [abandoned, ...others] = this.#abandoned
    if (abandoned === undefined || draft === null || hasEdits(draft) || !this.isStored.value) return
    this.#abandoned = others
    if (this.#takeOver(abandoned.draft, { version: draft.version, values: draft.base })) abandoned.remove()
    if (this.isDirty) this.#schedule(0)
    else this.#takeNextAbandoned()
  }

  /** Returns false if the draft could not be stored. */
  #change(draft: Draft): boolean {
    this.#setDraft(draft)
    this.#abandoned = withoutStored(this.#abandoned, draft.version, draft.base)
    return this.#store()
  }

  #setDraft(draft: Draft): void {
    this.#drawing.cancel()
    this.#latest = draft
    this.draft.value = draft
  }

  #store(): boolean {
    this.#storing.cancel()
    this.isStored.value = this.#latest === null || storeDraft(this.#options.location, this.#latest)
    return this.isStored.value
  }

  #schedule(wait: number): void {
    clearTimeout(this.#timer)
    if (this.state.value !== 'saving') this.state.value = 'waiting'
    this.#timer = setTimeout(() => void this.#save(), wait)
  }

  async #send(changes: Values, version: number): Promise<void> {
    this.state.value = 'saving'
    if (this.#latest !== null) this.#change(withSent(this.#latest, changes))
    try {
      const newVersion = await this.#options.send(changes, version)
      this.#onSaved(changes, newVersion)
    } catch (error) {
      this.#onFailed(problemOf(error), changes)
    }
  }

  #onSaved(changes: Values, version: number): void {
    this.#failures = 0
    this.savedAt.value = new Date()
    if (this.#latest !== null) this.#change(afterSave(this.#latest, changes, version))
    this.#options.onSaved(changes, version)
    this.#setIdle()
    if (Object.keys(this.#sendableEdits()).length > 0) this.#schedule(SAVE_DELAY_MS)
    else this.#takeNextAbandoned()
  }

  #sendableEdits(): Values {
    const draft = this.#latest
    const stillRefused = this.#stillRefused()
    const entries = Object.entries(draft === null ? {} : sendableEdits(draft))
    return Object.fromEntries(entries.filter(([field]) => !stillRefused.has(field)))
  }

  /** Refused fields that still have the refused value. */
  #stillRefused(): ReadonlyMap<string, RefusedValue> {
    const mine = this.#latest?.mine ?? {}
    const isUnchanged = ([field, { value }]: readonly [string, RefusedValue]): boolean =>
      field in mine && isSameValue(mine[field], value)
    return new Map(Array.from(this.#refused).filter(isUnchanged))
  }

  /** Sets the state when nothing is being sent. Shows the problem of the first field that is still refused. */
  #setIdle(): void {
    const [first] = this.#stillRefused().values()
    this.state.value = first === undefined ? 'saved' : 'refused'
    this.problem.value = first?.problem ?? null
  }

  #onFailed(problem: Problem, changes: Values): void {
    const current = problem.code === 'edit_conflict' ? this.#options.readCurrent(problem) : null
    if (current !== null && this.#latest !== null) {
      // After a restore of the database, stored versions may be lower.
      const version = Math.min(this.#latest.version, current.version)
      const draft = rebase({ ...this.#latest, version }, current.version, current.values)
      this.#change(withoutSent(draft))
      this.state.value = 'saved'
      this.#schedule(REBASE_DELAY_MS)
      return
    }
    // A refused edit was not stored.
    if (!problem.isPassing && this.#latest !== null) this.#change(withoutSent(this.#latest))
    if (problem.status === 401) this.state.value = 'signed_out'
    else if (problem.isPassing) this.#retryLater(problem)
    else this.#holdBack(problem, changes)
  }

  /** Holds back the fields that a refusal names, and sends the others. */
  #holdBack(problem: Problem, changes: Values): void {
    const stillRefused = this.#stillRefused()
    const refusedFields = namedFields(problem, changes).map(([field, value]) => [field, { value, problem }] as const)
    this.#refused = new Map([...stillRefused, ...refusedFields])
    // A refusal is shown only while one of its fields waits for correction.
    const [first = { problem }] = this.#refused.values()
    this.problem.value = first.problem
    this.state.value = 'refused'
    if (refusedFields.length > 0 && Object.keys(this.#sendableEdits()).length > 0) this.#schedule(0)
  }

  #retryLater(problem: Problem): void {
    this.#failures += 1
    const wait = problem.wait ?? Math.min(500 * 2 ** this.#failures, MAX_RETRY_MS)
    // Random delays keep clients from retrying at the same moment.
    this.#schedule(wait * (0.75 + Math.random() / 4))
    this.state.value = 'retrying'
  }
}

/**
 * Removes edits from abandoned drafts that the service has stored, because a window may have saved them as it closed.
 */
function withoutStored(
  abandoned: readonly AbandonedDraft[],
  version: number,
  values: Values,
): readonly AbandonedDraft[] {
  return abandoned.flatMap((abandonedDraft) => {
    const draft = rebase(abandonedDraft.draft, version, values)
    if (hasEdits(draft)) return [{ ...abandonedDraft, draft }]
    abandonedDraft.remove()
    return []
  })
}

/** The sent fields that a refusal names. Names of nested records end in a number. */
function namedFields({ details: { errors = [] } }: Problem, changes: Values): readonly (readonly [string, Value])[] {
  const names = new Set(errors.map(({ field }) => field))
  return Object.entries(changes).filter(([field]) => names.has(field.replace(/#.*/, '')))
}
