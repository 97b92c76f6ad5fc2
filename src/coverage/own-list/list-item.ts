import type { AttackDomain } from '../../contracts/sources.ts'
import { Refusal } from '../../platform/errors.ts'

/** An entry of a list that should name an attack or a technique. */
export interface ListItem {
  readonly value: string
  /** `attacks[0]`, `layer.techniques[3]`, `line 7` */
  readonly place: string
  /** Null if the list does not say. */
  readonly kind: 'attack' | 'technique' | null
  /** The domain that the list states for it. */
  readonly domain: AttackDomain | null
}

export interface ReadList {
  readonly items: readonly ListItem[]
  /** Entries that the list itself disables. */
  readonly leftOut: number
}

/** Whether a release has a record with this name. */
export type IsKnown = (value: string) => boolean

/** Refuses a part of a list that is not of its form. */
export function refuseEntry(place: string, detail: string): Refusal {
  return new Refusal('parameter_invalid', `${place}: ${detail}`, { parameter: place })
}
