import { shallowRef, watch, type Ref } from 'vue'
import { CHOICE_NAMES, type Choice, type Decisions } from './decisions.ts'

/** Decisions that survive a reload of the page, for as long as the window is open. */
export function useKeptDecisions(name: () => string): Ref<Decisions> {
  const decisions = shallowRef<Decisions>(new Map())
  watch(
    name,
    (key) => {
      decisions.value = new Map(read(`parapet.rebase.${key}`))
    },
    { immediate: true },
  )
  watch(decisions, (now) => {
    const key = `parapet.rebase.${name()}`
    if (now.size === 0) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify([...now]))
  })
  return decisions
}

function read(key: string): readonly (readonly [string, Choice])[] {
  const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]')
  return Array.isArray(kept) ? kept.filter(isEntry) : []
}

function isEntry(entry: unknown): entry is readonly [string, Choice] {
  return Array.isArray(entry) && typeof entry[0] === 'string' && isChoice(entry[1])
}

function isChoice(value: unknown): value is Choice {
  return typeof value === 'string' && value in CHOICE_NAMES
}
