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

export function begin(version: number, base: Values): Draft {
  return { version, base, mine: {}, theirs: {}, before: {}, sent: [] }
}

/** The service has nothing for blank, and browsers end lines in one way. */
export function same(one: Value | undefined, other: Value | undefined): boolean {
  return plain(one) === plain(other)
}

function plain(value: Value | undefined): string | boolean {
  if (typeof value === 'boolean') return value
  const text = (value ?? '').replaceAll('\r\n', '\n')
  return text.trim() === '' ? '' : text
}

/** Values that the form shows. */
export function shownOf({ base, mine }: Draft): Values {
  return { ...base, ...mine }
}

/** Applies an edit to the draft; a field in conflict stays in conflict until it is resolved. */
export function edit(draft: Draft, field: string, value: Value): Draft {
  const isBack = same(value, draft.base[field]) && !(field in draft.theirs)
  const mine = isBack ? without(draft.mine, field) : { ...draft.mine, [field]: value }
  // A text that is the same but for its end is shown as it was typed.
  const base = isBack ? { ...draft.base, [field]: value } : draft.base
  return { ...draft, base, mine }
}

function without(values: Values, field: string): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => name !== field))
}

/**
 * Puts what was written on top of what the service has now. Where somebody else changed the same field, both are kept
 * until one of the two people decides. What was sent from here is nobody else's, also where the answer was lost.
 */
export function rebase(draft: Draft, version: number, now: Values): Draft {
  if (version < draft.version) return draft
  let { mine, theirs, before } = draft
  for (const field of Object.keys(mine)) {
    const value = now[field] ?? null
    if (same(mine[field], value)) mine = without(mine, field)
    if (field in mine && isOfOthers(draft, field, value)) {
      if (!(field in theirs) && version === draft.version) continue
      before = { ...before, [field]: originOf(draft, field) }
      theirs = { ...theirs, [field]: value }
    } else {
      theirs = without(theirs, field)
      before = without(before, field)
    }
  }
  return { ...draft, version, base: keptBase(draft.base, now), mine, theirs, before }
}

function isOfOthers(draft: Draft, field: string, value: Value): boolean {
  if (same(originOf(draft, field), value)) return false
  return !draft.sent.some((values) => field in values && same(values[field], value))
}

function originOf({ base, before }: Draft, field: string): Value {
  return (field in before ? before[field] : base[field]) ?? null
}

/** Texts that are the same as before stay as they were typed. */
function keptBase(base: Values, now: Values): Values {
  const entries = Object.entries(now).map(([field, value]) => {
    const typed = base[field]
    return [field, typed !== undefined && same(typed, value) ? typed : value] as const
  })
  return Object.fromEntries(entries)
}

/** Ends a conflict: with what is written now, or with what somebody else wrote. */
export function settle(draft: Draft, field: string, taken: 'mine' | 'theirs'): Draft {
  const settled = {
    ...draft,
    theirs: without(draft.theirs, field),
    before: without(draft.before, field),
  }
  return taken === 'mine' ? settled : { ...settled, mine: without(draft.mine, field) }
}

/** The edits that can be sent: all but those in conflict. */
export function sendable({ mine, theirs }: Draft): Values {
  return Object.fromEntries(Object.entries(mine).filter(([field]) => !(field in theirs)))
}

/** The first that may have got through, and the latest. */
const MOST_SENT = 4

/** Before something is sent. */
export function sending(draft: Draft, changes: Values): Draft {
  const [first = changes, ...others] = draft.sent
  const latest = draft.sent.length === 0 ? [] : [...others, changes].slice(1 - MOST_SENT)
  return { ...draft, sent: [first, ...latest] }
}

/** After the service has said that nothing of what was sent waits there. */
export function answered(draft: Draft): Draft {
  return { ...draft, sent: [] }
}

/**
 * After the service has stored what was sent; what was typed meanwhile is still to be sent. Somebody else may have
 * written on top of it already, and that may be known here earlier than the answer.
 */
export function stored(draft: Draft, sent: Values, version: number): Draft {
  const isOvertaken = draft.version > version
  let { base, mine, theirs, before } = draft
  for (const [field, value] of Object.entries(sent)) {
    const isDone = same(mine[field], value)
    if (!isOvertaken) base = { ...base, [field]: isDone ? (mine[field] ?? value) : value }
    if (isDone) {
      mine = without(mine, field)
      theirs = without(theirs, field)
      before = without(before, field)
    } else if (field in before) before = { ...before, [field]: value }
  }
  return { version: Math.max(version, draft.version), base, mine, theirs, before, sent: [] }
}

export function isWritten({ mine }: Draft): boolean {
  return Object.keys(mine).length > 0
}
