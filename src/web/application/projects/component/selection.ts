import { wordsOf } from '../../catalogue/words-of.ts'

/** Ids of the selected requirements by SRG; an SRG without an entry contributes all. */
export type Selections = ReadonlyMap<number, ReadonlySet<string>>

/** The selections as lists, which JSON can store. */
type StoredSelections = readonly (readonly [number, readonly string[]])[]

export function pickedOf(selections: Selections): StoredSelections {
  return [...selections].map(([id, selected]) => [id, [...selected]])
}

export function selectionsFrom(picked: StoredSelections): Selections {
  return new Map(picked.map(([id, selected]) => [id, new Set(selected)]))
}

/** A requirement that can be selected by its id. Several requirements may have the same id. */
export interface SelectableRule {
  readonly id: number
  readonly version: string
  readonly title: string
}

export function choosableOf(
  rules: readonly ({ readonly version: string | null; readonly title: string } & { readonly id: number })[],
): readonly SelectableRule[] {
  return rules.flatMap(({ id, version, title }) => (version === null ? [] : [{ id, version, title }]))
}

export function matchingRequirements(requirements: readonly SelectableRule[], text: string): readonly SelectableRule[] {
  const words = wordsOf(text)
  return requirements.filter(({ version, title }) => {
    const written = `${version} ${title}`.toLowerCase()
    return words.every((word) => written.includes(word))
  })
}

/** Adds requirements to a selection, or removes them. */
export function withRequirements(
  selected: ReadonlySet<string>,
  some: readonly SelectableRule[],
  isTaken: boolean,
): ReadonlySet<string> {
  const next = new Set(selected)
  for (const { version } of some) {
    if (isTaken) next.add(version)
    else next.delete(version)
  }
  return next
}

/** The selections of the chosen SRGs for the API; null if nothing is selected. */
export function selectionsOf(chosen: readonly number[], selections: Selections): Record<string, string[]> | null {
  const isEmpty = chosen.length > 0 && chosen.every((id) => selections.get(id)?.size === 0)
  if (isEmpty) return null
  return Object.fromEntries(
    chosen.flatMap((id) => {
      const selected = selections.get(id)
      return selected === undefined ? [] : [[String(id), [...selected]]]
    }),
  )
}
