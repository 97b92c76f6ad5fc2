import { Refusal } from '../../../../platform/errors.ts'
import { groupDigits } from '../../files/limits.ts'
import { shortenWords } from '../../files/xml.ts'
import { MAX_ITEMS } from '../items.ts'
import { cweSchema, type CweDraft, type CweItem } from './items.ts'

/**
 * Collects the entries of a file. Refuses, with the entry and its line: an id that is not a number (`invalid_id`), a
 * duplicate id (`duplicate_item_id`), a missing name or other part (`missing_field`), and too many entries
 * (`too_large`).
 */
export class CollectedEntries {
  readonly #drafts = new Map<string, CweDraft>()

  get size(): number {
    return this.#drafts.size
  }

  add(draft: CweDraft, line: number): void {
    const location = `${shortenWords(draft.id)} (line ${line})`
    if (this.#drafts.has(draft.id)) throw new Refusal('duplicate_item_id', `The file has ${location} twice.`)
    if (this.#drafts.size >= MAX_ITEMS)
      throw new Refusal('too_large', `The file has more entries than the limit of ${groupDigits(MAX_ITEMS)}.`)
    const parsed = cweSchema.omit({ deprecated: true, successors: true }).safeParse(draft)
    if (!parsed.success) throw unusableRefusal(parsed.error.issues[0]?.path ?? [], location)
    // Copied, because parts of long texts would keep the whole texts in memory.
    this.#drafts.set(draft.id, structuredClone(parsed.data))
  }

  /** In document order. */
  finish(): readonly CweItem[] {
    return [...this.#drafts.values()].map((draft) => {
      const deprecated = isDeprecated(draft)
      return { ...draft, deprecated, successors: deprecated ? this.#successorsOf(draft) : [] }
    })
  }

  /** Finds the successors of an entry in its text and the hints for mapping, because CWE has no field for them. */
  #successorsOf({ id: entryId, description, extended_description, mapping }: CweDraft): CweItem['successors'] {
    const ids = `${description} ${extended_description}`.match(/\bCWE-\d{1,6}\b/g) ?? []
    const suggested = mapping?.suggestions.map(({ id }) => id) ?? []
    return [...new Set([...ids, ...suggested])]
      .filter((id) => id !== entryId)
      .map((id) => ({ id, name: this.#drafts.get(id)?.name ?? null }))
  }
}

function isDeprecated({ status, name }: CweDraft): boolean {
  return status?.toLowerCase() === 'deprecated' || /^deprecated\b/i.test(name)
}

function unusableRefusal(path: readonly PropertyKey[], location: string): Refusal {
  if (path[0] === 'id') return new Refusal('invalid_id', `The id of an entry must be a number, but is ${location}.`)
  return new Refusal('missing_field', `${path.join('/')} is missing or cannot be used: ${location}.`)
}
