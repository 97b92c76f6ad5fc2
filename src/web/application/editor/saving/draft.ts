/** A text, a flag, or nothing. */
export type Value = string | boolean | null
export type Values = Readonly<Record<string, Value>>

/** The values of a rule that the service has stored. */
export interface SavedValues {
  readonly version: number
  readonly values: Values
}

/** The edits of a rule that the service does not have yet. */
export interface Draft {
  /** The version of the rule that the service had when this was begun, or last compared. */
  readonly version: number
  /** The stored values of that version. */
  readonly base: Values
  /** The fields that are written differently. */
  readonly mine: Values
  /** Stored values of the fields in conflict, which somebody else changed as well. */
  readonly theirs: Values
  /** Values of the fields in conflict before either change. */
  readonly before: Values
  /** Edits that were sent without an answer, so that they may have been stored. */
  readonly sent: readonly Values[]
}

export function emptyDraft(version: number, base: Values): Draft {
  return { version, base, mine: {}, theirs: {}, before: {}, sent: [] }
}

/** Compares values ignoring line ends; blank texts equal null. */
export function isSameValue(value: Value | undefined, other: Value | undefined): boolean {
  return normalised(value) === normalised(other)
}

function normalised(value: Value | undefined): string | boolean {
  if (typeof value === 'boolean') return value
  const text = (value ?? '').replaceAll('\r\n', '\n')
  return text.trim() === '' ? '' : text
}

/** Values that the form shows. */
export function draftValues({ base, mine }: Draft): Values {
  return { ...base, ...mine }
}

/** Applies an edit to the draft; a field in conflict stays in conflict until it is resolved. */
export function edit(draft: Draft, field: string, value: Value): Draft {
  const isReverted = isSameValue(value, draft.base[field]) && !(field in draft.theirs)
  const mine = isReverted ? without(draft.mine, field) : { ...draft.mine, [field]: value }
  // Keeps the typed blanks of a text that is otherwise unchanged.
  const base = isReverted ? { ...draft.base, [field]: value } : draft.base
  return { ...draft, base, mine }
}

function without(values: Values, field: string): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => name !== field))
}

/**
 * Applies the edits to newer stored values. If another person changed the same field, both versions are kept until one
 * of the two people decides. Values that were sent from here are not another person's, even if the answer was lost.
 */
export function rebase(draft: Draft, version: number, current: Values): Draft {
  if (version < draft.version) return draft
  let { mine, theirs, before } = draft
  for (const field of Object.keys(mine)) {
    const value = current[field] ?? null
    if (isSameValue(mine[field], value)) mine = without(mine, field)
    if (field in mine && isChangedByOthers(draft, field, value)) {
      if (!(field in theirs) && version === draft.version) continue
      before = { ...before, [field]: originOf(draft, field) }
      theirs = { ...theirs, [field]: value }
    } else {
      theirs = without(theirs, field)
      before = without(before, field)
    }
  }
  return { ...draft, version, base: mergeBase(draft.base, current), mine, theirs, before }
}

function isChangedByOthers(draft: Draft, field: string, value: Value): boolean {
  if (isSameValue(originOf(draft, field), value)) return false
  return !draft.sent.some((values) => field in values && isSameValue(values[field], value))
}

function originOf({ base, before }: Draft, field: string): Value {
  return (field in before ? before[field] : base[field]) ?? null
}

/** Keeps the typed form of texts that are equal to the stored ones. */
function mergeBase(base: Values, current: Values): Values {
  const entries = Object.entries(current).map(([field, value]) => {
    const typed = base[field]
    return [field, typed !== undefined && isSameValue(typed, value) ? typed : value] as const
  })
  return Object.fromEntries(entries)
}

/** Ends a conflict: with what is written now, or with what somebody else wrote. */
export function settle(draft: Draft, field: string, choice: 'mine' | 'theirs'): Draft {
  const settled = {
    ...draft,
    theirs: without(draft.theirs, field),
    before: without(draft.before, field),
  }
  return choice === 'mine' ? settled : { ...settled, mine: without(draft.mine, field) }
}

/** The edits that can be sent: all but those in conflict. */
export function sendableEdits({ mine, theirs }: Draft): Values {
  return Object.fromEntries(Object.entries(mine).filter(([field]) => !(field in theirs)))
}

/** Number of sent edits that are remembered: the first and the latest. */
const MAX_SENT = 4

/** Remembers edits that are about to be sent. */
export function withSent(draft: Draft, changes: Values): Draft {
  const [first = changes, ...others] = draft.sent
  const latest = draft.sent.length === 0 ? [] : [...others, changes].slice(1 - MAX_SENT)
  return { ...draft, sent: [first, ...latest] }
}

/** Forgets sent edits after an answer from which it is clear that they were not stored. */
export function withoutSent(draft: Draft): Draft {
  return { ...draft, sent: [] }
}

/**
 * Updates the draft after sent edits were stored. Text that was typed meanwhile stays unsaved. A later version by
 * another person may be known already.
 */
export function afterSave(draft: Draft, sent: Values, version: number): Draft {
  const isNewerKnown = draft.version > version
  let { base, mine, theirs, before } = draft
  for (const [field, value] of Object.entries(sent)) {
    const isUnchangedSince = isSameValue(mine[field], value)
    if (!isNewerKnown) base = { ...base, [field]: isUnchangedSince ? (mine[field] ?? value) : value }
    if (isUnchangedSince) {
      mine = without(mine, field)
      theirs = without(theirs, field)
      before = without(before, field)
    } else if (field in before) before = { ...before, [field]: value }
  }
  return { version: Math.max(version, draft.version), base, mine, theirs, before, sent: [] }
}

export function hasEdits({ mine }: Draft): boolean {
  return Object.keys(mine).length > 0
}
