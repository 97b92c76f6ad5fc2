import type { Values } from '../saving/draft.ts'
import type { VisibleField } from './visible-fields.ts'

const FOLDED: ReadonlySet<string> = new Set(['vendor_comments', 'inspec_control_body'])

interface FieldGroup {
  readonly key: 'main' | 'more'
  readonly fields: readonly VisibleField[]
}

/** The fields that every rule needs, and those that few rules need. */
export function groupFields(fields: readonly VisibleField[], status: string): readonly FieldGroup[] {
  const isFolded = ({ field }: VisibleField): boolean =>
    (FOLDED.has(field.name) || field.shown[status] === 'advanced') && !field.asked.includes(status)
  const main = { key: 'main', fields: fields.filter((field) => !isFolded(field)) } as const
  const folded = { key: 'more', fields: fields.filter(isFolded) } as const
  return folded.fields.length === 0 ? [main] : [main, folded]
}

/** Whether one of the fields has a value or a conflict, so that they must not be folded. */
export function hasSomething(fields: readonly VisibleField[], valueSets: readonly Values[]): boolean {
  return fields.some(({ field: { name } }) => valueSets.some(({ [name]: value }) => value != null && value !== ''))
}
