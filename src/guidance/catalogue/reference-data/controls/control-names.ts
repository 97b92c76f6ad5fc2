import type { Reference } from '../items.ts'

const SP_800_53 = /^NIST SP 800-53(?:,?\s+Rev(?:ision|\.)?\s*(\d+))?$/i

/** Returns the revision of NIST SP 800-53 that a reference names; null for other documents, such as SP 800-53A. */
export function revisionOf({ title, version }: Pick<Reference, 'title' | 'version'>): number | null {
  const match = SP_800_53.exec(title ?? '')
  if (match === null) return null
  const number = Number(match[1] ?? version)
  return Number.isInteger(number) && number > 0 ? number : null
}

const CONTROL_NAME = /^([A-Z]{2,3})-0*(\d+)(?:\s*\(0*(\d+)\)|\.0*(\d+))?/i

/** Returns the control or enhancement of a reference: `AC-2 (7) (c)` → `AC-2 (7)`; null for any other text. */
export function controlOf(index: string): string | null {
  const match = CONTROL_NAME.exec(index.trim())
  if (match === null) return null
  const [, family = '', number = '', enhancement = match[4]] = match
  const control = `${family.toUpperCase()}-${number}`
  return enhancement === undefined ? control : `${control} (${enhancement})`
}

/** Returns the name of a control for any spelling: `ac-2.1`, `AC-02(01)`, `AC-2 (1)`; null for any other text. */
export function controlNamed(name: string): string | null {
  return CONTROL_NAME.exec(name.trim())?.[0] === name.trim() ? controlOf(name) : null
}

/** Returns the id of a CCI for any spelling, such as `cci-366`; null for any other text. */
export function cciNamed(name: string): string | null {
  const digits = /^CCI-0*(\d{1,6})$/i.exec(name.trim())?.[1]
  return digits === undefined ? null : `CCI-${digits.padStart(6, '0')}`
}

/** A reference to a revision of NIST SP 800-53. */
export interface ControlReference {
  readonly revision: number
  readonly control: string
  /** As written in the list, with the part of the control. */
  readonly index: string
}

/** The controls that a CCI refers to, by revision, oldest first. */
export function controlsOf(references: readonly Reference[]): readonly ControlReference[] {
  return references
    .flatMap((reference) => {
      const revision = revisionOf(reference)
      const control = controlOf(reference.index ?? '')
      if (revision === null || control === null) return []
      return [{ revision, control, index: reference.index?.trim() ?? '' }]
    })
    .sort((a, b) => a.revision - b.revision)
}
