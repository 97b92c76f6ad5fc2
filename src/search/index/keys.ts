import { GUIDANCE_KINDS, ONTOLOGY_KINDS, type RecordKind } from '../../contracts/sources.ts'

/** The index of a kind is its number. */
export const KINDS: readonly RecordKind[] = [...GUIDANCE_KINDS, ...ONTOLOGY_KINDS]
/** A power of two above the number of kinds. */
const STEP = 16

/** The kind and number of a record in one number; sorted by number, then by kind. */
export function keyOf(kind: RecordKind, id: number): number {
  return id * STEP + KINDS.indexOf(kind)
}

/** Number of the kind of a record. */
export function kindNumber(key: number): number {
  return key - Math.floor(key / STEP) * STEP
}

export function recordOf(key: number): { readonly kind: RecordKind; readonly id: number } {
  const kind = KINDS[key % STEP]
  if (kind === undefined) throw new Error(`There is no kind with the key ${key}`)
  return { kind, id: Math.floor(key / STEP) }
}

export const SEVERITIES = ['high', 'medium', 'low', 'unknown', 'info'] as const

/** 0 stands for no severity. */
export function severityNumber(severity: string | null): number {
  return SEVERITIES.findIndex((known) => known === severity) + 1
}

export function severityOf(number: number): string | null {
  return SEVERITIES[number - 1] ?? null
}
