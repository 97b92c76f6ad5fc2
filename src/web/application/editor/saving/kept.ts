import { ref } from 'vue'
import { isWritten, type Draft, type Values } from './draft.ts'

/** Whose draft it is, and of what. */
export interface Place {
  readonly person: number
  readonly component: number
  readonly rule: number
}

const PREFIX = 'parapet.draft.'
/** How often a draft came or went, for what shows which there are. */
const changes = ref(0)

function keyOf({ person, component, rule }: Place): string {
  return `${PREFIX}${person}.${component}.${rule}`
}

/**
 * Keeps a draft in this browser, at once and through reloads; a draft without anything written is forgotten. False
 * where the browser has no room.
 */
export function keep(place: Place, draft: Draft): boolean {
  const key = keyOf(place)
  try {
    if (isWritten(draft) !== (localStorage.getItem(key) !== null)) changes.value += 1
    if (!isWritten(draft)) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(shortened(draft)))
    return true
  } catch {
    return false
  }
}

/** The fields that were not written are the service's. */
function shortened({ base, mine, ...draft }: Draft): Draft {
  const needed = Object.entries(base).filter(([field]) => field in mine)
  return { ...draft, mine, base: Object.fromEntries(needed) }
}

export function findKept(place: Place): Draft | null {
  const text = localStorage.getItem(keyOf(place))
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
  const part = (name: string): Values =>
    valuesOf(name in stored ? Object.entries(stored).find(([key]) => key === name)?.[1] : null)
  const [base, mine, theirs, before] = [part('base'), part('mine'), part('theirs'), part('before')]
  return { version, base, mine, theirs, before }
}

function valuesOf(stored: unknown): Values {
  if (typeof stored !== 'object' || stored === null) return {}
  const entries = Object.entries(stored).flatMap(([field, value]: [string, unknown]) =>
    typeof value === 'string' || typeof value === 'boolean' || value === null
      ? [[field, value] as const]
      : [],
  )
  return Object.fromEntries(entries)
}

/** The numbers of the rules of which a draft is kept. */
export function keptRules({ person, component }: Omit<Place, 'rule'>): ReadonlySet<number> {
  // Browsers do not tell a window what it stored itself.
  void changes.value
  const start = `${PREFIX}${person}.${component}.`
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(start))
  return new Set(keys.map((key) => Number(key.slice(start.length))))
}
