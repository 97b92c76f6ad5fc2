/** A text, a flag, or nothing. */
export type Value = string | boolean | null
export type Values = Readonly<Record<string, Value>>

/** What the service has of a rule. */
export interface Stored {
  readonly version: number
  readonly values: Values
}

/** What somebody has written of a rule and the service does not have yet. */
export interface Draft {
  /** The version of the rule that the service had when this was begun, or last compared. */
  readonly version: number
  /** What the service had in that version. */
  readonly base: Values
  /** The fields that are written differently. */
  readonly mine: Values
  /** Of fields that somebody else changed meanwhile, too: what they wrote. */
  readonly theirs: Values
  /** Of the same fields: what both began with. */
  readonly before: Values
}

export function begin(version: number, base: Values): Draft {
  return { version, base, mine: {}, theirs: {}, before: {} }
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

/** What a form shows. */
export function shownOf({ base, mine }: Draft): Values {
  return { ...base, ...mine }
}

/** What is there with a field written; a field in conflict stays one until it is settled. */
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
 * until one of the two people decides.
 */
export function rebase(draft: Draft, version: number, now: Values): Draft {
  if (version < draft.version) return draft
  const isNewer = version > draft.version
  let { mine, theirs, before } = draft
  for (const field of Object.keys(mine)) {
    const origin = field in before ? before[field] : draft.base[field]
    if (same(mine[field], now[field])) {
      mine = without(mine, field)
      theirs = without(theirs, field)
      before = without(before, field)
    } else if (field in theirs || (isNewer && !same(origin, now[field]))) {
      theirs = { ...theirs, [field]: now[field] ?? null }
      before = { ...before, [field]: origin ?? null }
    }
  }
  return { version, base: keptBase(draft.base, now), mine, theirs, before }
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

/** What can be sent: not what waits for a decision. */
export function sendable({ mine, theirs }: Draft): Values {
  return Object.fromEntries(Object.entries(mine).filter(([field]) => !(field in theirs)))
}

/** After the service has stored what was sent; what was typed meanwhile is still to be sent. */
export function stored(draft: Draft, sent: Values, version: number): Draft {
  const mine = Object.entries(draft.mine).filter(
    ([field, value]) => !(field in sent) || !same(value, sent[field]),
  )
  const base = { ...draft.base }
  for (const [field, value] of Object.entries(sent)) {
    const typed = draft.mine[field]
    base[field] = typed !== undefined && same(typed, value) ? typed : value
  }
  return { ...draft, version, base, mine: Object.fromEntries(mine) }
}

export function isWritten({ mine }: Draft): boolean {
  return Object.keys(mine).length > 0
}
