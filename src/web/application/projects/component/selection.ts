import { wordsOf } from '../../catalogue/words-of.ts'

/** The ids of the requirements that are taken from an SRG; without an entry, all of them. */
export type Selections = ReadonlyMap<number, ReadonlySet<string>>

/** The selections as lists, which JSON can store. */
type StoredSelections = readonly (readonly [number, readonly string[]])[]

export function pickedOf(selections: Selections): StoredSelections {
  return [...selections].map(([id, selected]) => [id, [...selected]])
}

export function selectionsFrom(picked: StoredSelections): Selections {
  return new Map(picked.map(([id, selected]) => [id, new Set(selected)]))
}

/** A requirement that can be taken by its id; of several with one id, all are. */
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

/** Adds some to a selection, or removes them. */
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

/** As the API takes them, of the SRGs that are chosen; null where nothing at all would be taken. */
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
