import { ref } from 'vue'
import { isWritten, type Draft, type Values } from './draft.ts'
import { earlierWindow, goneAmong, ownWindow } from './windows.ts'

/**
 * The owner of a draft and its rule. Each window has drafts of its own, so that windows do not overwrite each other.
 */
export interface RuleLocation {
  readonly person: number
  readonly component: number
  readonly rule: number
}

const PREFIX = 'parapet.draft.'
/** How often a draft came or went, for what shows which there are. */
const changes = ref(0)
/** Storage keys known to hold a draft: looking them up would read the texts again at each keystroke. */
const held = new Set<string>()

addEventListener('storage', ({ key, newValue }) => {
  if (key !== null && !key.startsWith(PREFIX)) return
  if (key === null) held.clear()
  else if (newValue === null) held.delete(key)
  changes.value += 1
})

function keyOf({ person, component, rule }: RuleLocation, window = ownWindow): string {
  return `${PREFIX}${person}.${component}.${rule}.${window}`
}

/**
 * Keeps a draft in this browser, at once and through reloads; a draft without anything written is forgotten. False
 * where the browser has no room.
 */
export function keep(place: RuleLocation, draft: Draft): boolean {
  const key = keyOf(place)
  try {
    if (!isWritten(draft)) forget(key)
    else {
      localStorage.setItem(key, JSON.stringify(shortened(draft)))
      if (!held.has(key)) changes.value += 1
      held.add(key)
    }
    return true
  } catch {
    return false
  }
}

function forget(key: string): void {
  if (localStorage.getItem(key) !== null) changes.value += 1
  localStorage.removeItem(key)
  held.delete(key)
}

/** The fields that were not written are the service's. */
function shortened({ base, mine, ...draft }: Draft): Draft {
  const needed = Object.entries(base).filter(([field]) => field in mine)
  return { ...draft, mine, base: Object.fromEntries(needed) }
}

/** Drafts that were taken over at once, although their window may still be open and continue with them. */
const copied = new Map<string, string | null>()

/** Finds the draft of this window, also after a reload. */
export function findDraft(place: RuleLocation): Draft | null {
  const own = read(keyOf(place))
  if (own !== null || earlierWindow === null) return own
  const earlier = keyOf(place, earlierWindow)
  copied.set(earlier, localStorage.getItem(earlier))
  return read(earlier)
}

/** A draft that a closed window has left. */
export interface LeftDraft {
  readonly draft: Draft
  /** Once it is kept elsewhere. */
  readonly forget: () => void
}

/** Finds drafts of the rule in closed windows that this window has not taken over yet. */
export async function findLeftDrafts(place: RuleLocation): Promise<readonly LeftDraft[]> {
  const keys = keysOf(place).filter((key) => key !== keyOf(place))
  const windowOf = (key: string): string => key.slice(keyOf(place, '').length)
  const gone = await goneAmong(new Set(keys.map(windowOf)))
  return keys
    .filter((key) => gone.has(windowOf(key)))
    .flatMap((key) => {
      const draft = read(key)
      const forgetIt = (): void => {
        forget(key)
      }
      if (draft !== null && copied.get(key) !== localStorage.getItem(key)) return [{ draft, forget: forgetIt }]
      forgetIt()
      return []
    })
}

function read(key: string): Draft | null {
  const text = localStorage.getItem(key)
  if (text === null) return null
  try {
    return parseDraft(JSON.parse(text))
  } catch {
    return null
  }
}

function parseDraft(stored: unknown): Draft | null {
  if (typeof stored !== 'object' || stored === null || !('version' in stored)) return null
  const { version } = stored
  if (typeof version !== 'number') return null
  const member = (name: string): unknown => Object.entries(stored).find(([key]) => key === name)?.[1]
  const part = (name: string): Values => valuesOf(member(name))
  const [base, mine, theirs, before] = [part('base'), part('mine'), part('theirs'), part('before')]
  const sent = member('sent')
  return {
    version,
    base,
    mine,
    theirs,
    before,
    sent: Array.isArray(sent) ? sent.map(valuesOf) : [],
  }
}

function valuesOf(stored: unknown): Values {
  if (typeof stored !== 'object' || stored === null) return {}
  const entries = Object.entries(stored).flatMap(([field, value]: [string, unknown]) =>
    typeof value === 'string' || typeof value === 'boolean' || value === null ? [[field, value] as const] : [],
  )
  return Object.fromEntries(entries)
}

/** Lists the drafts of a rule in all windows of this browser. */
export function draftsOf(place: RuleLocation): readonly Draft[] {
  void changes.value
  return keysOf(place).flatMap((key) => read(key) ?? [])
}

export function forgetDrafts(place: RuleLocation): void {
  for (const key of keysOf(place)) forget(key)
}

/** Drafts of earlier versions of this page have no window. */
function keysOf({ person, component, rule }: RuleLocation): readonly string[] {
  const start = `${PREFIX}${person}.${component}.${rule}`
  return Object.keys(localStorage).filter((key) => key === start || key.startsWith(`${start}.`))
}

/** The numbers of the rules of which a draft is kept. */
export function keptRules({ person, component }: Omit<RuleLocation, 'rule'>): ReadonlySet<number> {
  const own = keptOf(person).filter((kept) => kept.component === component)
  return new Set(own.map(({ rule }) => rule))
}

/** All rules of which somebody has a draft in this browser, also such as they can see no more. */
export function keptOf(person: number): readonly Omit<RuleLocation, 'person'>[] {
  // Browsers do not tell a window what it stored itself.
  void changes.value
  const found = new Map<string, Omit<RuleLocation, 'person'>>()
  for (const key of Object.keys(localStorage)) {
    const [owner, component, rule] = key.startsWith(PREFIX) ? key.slice(PREFIX.length).split('.').map(Number) : []
    if (owner !== person || component === undefined || rule === undefined) continue
    found.set(`${component}.${rule}`, { component, rule })
  }
  return [...found.values()]
}
