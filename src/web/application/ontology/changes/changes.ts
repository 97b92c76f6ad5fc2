import { groupBy } from '../distinct.ts'

/** The fields of a change that the page reads. */
export interface Change {
  readonly change: string
  readonly kind: string
  readonly name: string
  readonly id: string | null
  readonly label: string | null
  readonly property?: string
  readonly old?: readonly string[]
  readonly new?: readonly string[]
  readonly same_by?: string
  readonly successors?: readonly Successor[]
}

interface Successor {
  readonly name: string
  readonly id: string | null
  readonly label: string | null
  /** From 0 to 1. */
  readonly confidence: number
  readonly stated: boolean
}

export interface ChangedRecord {
  readonly kind: string
  readonly name: string
  readonly id: string | null
  readonly label: string
  readonly changes: readonly Change[]
}

/** The filters in the address; null shows all. */
export interface ChangeFilter {
  readonly kind: string | null
  readonly change: string | null
  readonly words: string
}

/** Kinds of change: the name in the counts, the name in the list, and the word for people. */
export const CHANGES = [
  ['added', 'added', 'added'],
  ['removed', 'removed', 'removed'],
  ['reidentified', 're-identified', 'other identifier'],
  ['renamed', 'renamed', 'renamed'],
  ['deprecated', 'deprecated', 'deprecated'],
  ['changed', 'changed', 'changed'],
] as const

const KINDS: Readonly<Record<string, string>> = {
  technique: 'defensive technique',
  'offensive-technique': 'attack',
}

export function kindName(kind: string): string {
  return KINDS[kind] ?? kind
}

export function changedRecords(changes: readonly Change[]): readonly ChangedRecord[] {
  const groups = groupBy(changes, ({ kind, name }) => `${kind} ${name}`)
  return Array.from(groups.values()).flatMap((recordChanges) =>
    recordChanges.slice(0, 1).map(({ kind, name, id, label }) => ({
      kind,
      name,
      id,
      label: label ?? name,
      changes: recordChanges,
    })),
  )
}

/** Records to which the wanted change happened, with all their changes. */
export function filterOf(
  records: readonly ChangedRecord[],
  { kind, change, words }: ChangeFilter,
): readonly ChangedRecord[] {
  const parts = words.toLowerCase().split(/\s+/)
  return records.filter((record) => {
    if (kind !== null && record.kind !== kind) return false
    if (change !== null && record.changes.every((recordChange) => recordChange.change !== change)) return false
    const text = `${record.name} ${record.id ?? ''} ${record.label}`.toLowerCase()
    return parts.every((part) => text.includes(part))
  })
}

/** Finds the changes of a record by its current or earlier name. */
export function changesOf(changes: readonly Change[], name: string): readonly Change[] {
  return changes.filter(
    (change) => change.name === name || (change.change === 're-identified' && change.old?.includes(name) === true),
  )
}

export function readChangeFilter(query: Readonly<Record<string, unknown>>): ChangeFilter {
  const text = (name: string): string | null => {
    const value = query[name]
    return typeof value === 'string' && value !== '' ? value : null
  }
  return { kind: text('kind'), change: text('change'), words: text('words') ?? '' }
}
