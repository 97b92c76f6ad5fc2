import { ref } from 'vue'
import { hasEdits, type Draft, type Values } from './draft.ts'
import { earlierWindow, findClosedWindows, thisWindow } from './windows.ts'

/**
 * The owner of a draft and its rule. Each window has drafts of its own, so that windows do not overwrite each other.
 */
export interface RuleLocation {
  readonly person: number
  readonly component: number
  readonly rule: number
}

const PREFIX = 'parapet.draft.'
/** Number of added and removed drafts, so that lists of drafts are updated. */
const changes = ref(0)
/** Storage keys known to hold a draft: looking them up would read the texts again at each keystroke. */
const storedKeys = new Set<string>()

addEventListener('storage', ({ key, newValue }) => {
  if (key !== null && !key.startsWith(PREFIX)) return
  if (key === null) storedKeys.clear()
  else if (newValue === null) storedKeys.delete(key)
  changes.value += 1
})

function keyOf({ person, component, rule }: RuleLocation, window = thisWindow): string {
  return `${PREFIX}${person}.${component}.${rule}.${window}`
}

/**
 * Stores a draft in this browser immediately, also for reloads; removes a draft without edits. Returns false if the
 * browser has no space.
 */
export function storeDraft(location: RuleLocation, draft: Draft): boolean {
  const key = keyOf(location)
  try {
    if (!hasEdits(draft)) removeDraft(key)
    else {
      localStorage.setItem(key, JSON.stringify(withNeededBase(draft)))
      if (!storedKeys.has(key)) changes.value += 1
      storedKeys.add(key)
    }
    return true
  } catch {
    return false
  }
}

function removeDraft(key: string): void {
  if (localStorage.getItem(key) !== null) changes.value += 1
  localStorage.removeItem(key)
  storedKeys.delete(key)
}

/** Keeps the base values of edited fields only; the others come from the service. */
function withNeededBase({ base, mine, ...draft }: Draft): Draft {
  const needed = Object.entries(base).filter(([field]) => field in mine)
  return { ...draft, mine, base: Object.fromEntries(needed) }
}

/**
 * Drafts that were taken over after a reload. Their window may still be open (a duplicated tab) and continue with them.
 */
const takenOver = new Map<string, string | null>()

/** Finds the draft of this window, also after a reload. */
export function findDraft(location: RuleLocation): Draft | null {
  const ofComponent = readDraft(keyOf(location))
  if (ofComponent !== null || earlierWindow === null) return ofComponent
  const earlier = keyOf(location, earlierWindow)
  takenOver.set(earlier, localStorage.getItem(earlier))
  return readDraft(earlier)
}

/** A draft that a closed window has left. */
export interface AbandonedDraft {
  readonly draft: Draft
  /** To be called once the draft is stored elsewhere. */
  readonly remove: () => void
}

/** Finds drafts of the rule in closed windows that this window has not taken over yet. */
export async function findAbandonedDrafts(location: RuleLocation): Promise<readonly AbandonedDraft[]> {
  const keys = keysOf(location).filter((key) => key !== keyOf(location))
  const windowOf = (key: string): string => key.slice(keyOf(location, '').length)
  const closed = await findClosedWindows(new Set(keys.map(windowOf)))
  return keys
    .filter((key) => closed.has(windowOf(key)))
    .flatMap((key) => {
      const draft = readDraft(key)
      const remove = (): void => {
        removeDraft(key)
      }
      if (draft !== null && takenOver.get(key) !== localStorage.getItem(key)) return [{ draft, remove }]
      remove()
      return []
    })
}

function readDraft(key: string): Draft | null {
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
  const readMember = (name: string): unknown => Object.entries(stored).find(([key]) => key === name)?.[1]
  const valuesAt = (name: string): Values => valuesOf(readMember(name))
  const [base, mine, theirs, before] = [valuesAt('base'), valuesAt('mine'), valuesAt('theirs'), valuesAt('before')]
  const sent = readMember('sent')
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
export function draftsOf(location: RuleLocation): readonly Draft[] {
  void changes.value
  return keysOf(location).flatMap((key) => readDraft(key) ?? [])
}

export function forgetDrafts(location: RuleLocation): void {
  for (const key of keysOf(location)) removeDraft(key)
}

/** Drafts of earlier versions of this page have no window. */
function keysOf({ person, component, rule }: RuleLocation): readonly string[] {
  const start = `${PREFIX}${person}.${component}.${rule}`
  return Object.keys(localStorage).filter((key) => key === start || key.startsWith(`${start}.`))
}

/** The numbers of the rules of which a draft is kept. */
export function rulesWithDrafts({ person, component }: Omit<RuleLocation, 'rule'>): ReadonlySet<number> {
  const ofComponent = draftLocations(person).filter((draft) => draft.component === component)
  return new Set(ofComponent.map(({ rule }) => rule))
}

/** All rules of which a person has drafts in this browser, including rules without access. */
export function draftLocations(person: number): readonly Omit<RuleLocation, 'person'>[] {
  // Storage events do not reach the window that made the change.
  void changes.value
  const locations = new Map<string, Omit<RuleLocation, 'person'>>()
  for (const key of Object.keys(localStorage)) {
    const [owner, component, rule] = key.startsWith(PREFIX) ? key.slice(PREFIX.length).split('.').map(Number) : []
    if (owner !== person || component === undefined || rule === undefined) continue
    locations.set(`${component}.${rule}`, { component, rule })
  }
  return [...locations.values()]
}
