import { computed, reactive, watch, type WritableComputedRef } from 'vue'
import { useStoredFields } from '../../client/owner/stored-fields.ts'
import { CHOICE_NAMES, type Choice, type Decisions, type DoneItem } from './decisions.ts'

/** Decisions on a named plan. They survive a reload of the page, until the person signs out. */
export function useStoredDecisions(name: () => string): WritableComputedRef<Decisions> {
  const fields = reactive<{ decided: readonly unknown[] }>({ decided: [] })
  // Synchronously, so that these decisions are not stored under the next name.
  watch(
    name,
    () => {
      fields.decided = []
    },
    { flush: 'sync' },
  )
  useStoredFields(() => `decided-${name()}`, fields)
  return computed({
    get: () => new Map(fields.decided.filter(isEntry)),
    set: (decisions) => {
      fields.decided = [...decisions]
    },
  })
}

/** Result of the last copy that this window made; `made` is 0 before. */
interface Outcome {
  made: number
  done: readonly DoneItem[]
}

/** It survives a reload as well. */
export function useStoredOutcome(name: () => string): Outcome {
  const outcome = reactive<Outcome>({ made: 0, done: [] })
  useStoredFields(() => `done-${name()}`, outcome)
  return outcome
}

function isEntry(entry: unknown): entry is readonly [string, Choice] {
  return Array.isArray(entry) && typeof entry[0] === 'string' && isChoice(entry[1])
}

function isChoice(value: unknown): value is Choice {
  return typeof value === 'string' && value in CHOICE_NAMES
}
