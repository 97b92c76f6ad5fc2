import { shallowRef, type ShallowRef } from 'vue'
import type { Step } from './bulk.ts'

/** The last change in a component, so that it can be undone, also after visiting other pages. */
class LastChange<T> {
  readonly #changes = new Map<string, ShallowRef<T | null>>()

  of(person: number, component: number): ShallowRef<T | null> {
    const key = `${person} ${component}`
    const change = this.#changes.get(key) ?? shallowRef<T | null>(null)
    this.#changes.set(key, change)
    return change
  }
}

/** The steps that undo the last bulk edit. */
export const lastBulkEdit = new LastChange<readonly Step[]>()
/** The id of the last replacement. */
export const lastReplacement = new LastChange<number>()
