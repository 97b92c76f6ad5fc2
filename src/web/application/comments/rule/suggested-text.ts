import { SUGGESTED_FIELDS, type SuggestedName } from '../../../../tables/field-lists.ts'
import { SECTIONS } from '../../../../tables/sections.ts'

/** A text of a rule for which another one can be suggested. */
export interface SuggestedText {
  readonly name: SuggestedName
  readonly text: string
  /** The section of its comments; null for the whole rule. */
  readonly section: string | null
}

/** The stored texts of the shown fields. */
export function suggestedTexts(
  shown: readonly { readonly name: string }[],
  stored: Readonly<Record<string, unknown>>,
): readonly SuggestedText[] {
  const names = new Set<string>(shown.map(({ name }) => name))
  return SUGGESTED_FIELDS.filter(({ name }) => names.has(name)).map(({ name, section }) => {
    const text = stored[name]
    const key = SECTIONS.find((candidate) => candidate.name === section)?.key ?? null
    return { name, text: typeof text === 'string' ? text : '', section: key }
  })
}
