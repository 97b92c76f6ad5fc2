import { GUIDANCE_KINDS, ONTOLOGY_KINDS, type Kind } from '../../contracts/sources.ts'

/** By number. */
export const KINDS: readonly Kind[] = [...GUIDANCE_KINDS, ...ONTOLOGY_KINDS]
/** A power of two above the number of kinds. */
const STEP = 16

/** The kind and number of a record in one number; sorted by number, then by kind. */
export function keyOf(kind: Kind, id: number): number {
  return id * STEP + KINDS.indexOf(kind)
}

/** That of a record by its key. */
export function kindNumber(key: number): number {
  return key - Math.floor(key / STEP) * STEP
}

export function recordOf(key: number): { readonly kind: Kind; readonly id: number } {
  const kind = KINDS[key % STEP]
  if (kind === undefined) throw new Error(`There is no kind with the key ${key}`)
  return { kind, id: Math.floor(key / STEP) }
}

export const SEVERITIES = ['high', 'medium', 'low', 'unknown', 'info'] as const

/** 0: it has none. */
export function severityNumber(severity: string | null): number {
  return SEVERITIES.findIndex((one) => one === severity) + 1
}

export function severityOf(number: number): string | null {
  return SEVERITIES[number - 1] ?? null
}
