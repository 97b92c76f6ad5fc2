import { Refusal } from '../../../../platform/errors.ts'
import { shortened } from '../../../catalogue/files/xml.ts'

/** What is wrong with the content of a spreadsheet. */
export function unusable(detail: string): Refusal {
  return new Refusal('spreadsheet_unusable', detail)
}

/** As much of a cell or a name as a message shows. */
export function quoted(text: string): string {
  return `"${shortened(text.slice(0, 80))}${text.length > 80 ? '…' : ''}"`
}

/** The refusal with the member `error`, which programs of the field look for (operations B). */
export function withErrorMember(error: unknown): unknown {
  if (!(error instanceof Refusal)) return error
  return new Refusal(error.code, error.message, { ...error.members, error: error.message })
}

/** `A`, `Z`, `AA`: what people call the column with this number, from 0. */
export function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26))
  return index < 26 ? letter : `${columnName(Math.floor(index / 26) - 1)}${letter}`
}
