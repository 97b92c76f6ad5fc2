import { Refusal } from '../../../../platform/errors.ts'
import { shortenWords } from '../../../catalogue/files/xml.ts'

/** The refusal of faulty content in a spreadsheet. */
export function unusable(detail: string): Refusal {
  return new Refusal('spreadsheet_unusable', detail)
}

/** Shortens a quoted text for a message. */
export function quoted(text: string): string {
  return `"${shortenWords(text.slice(0, 80))}${text.length > 80 ? '…' : ''}"`
}

/** Adds the member `error`, which existing clients look for. */
export function withErrorMember(error: unknown): unknown {
  if (!(error instanceof Refusal)) return error
  return new Refusal(error.code, error.message, { ...error.members, error: error.message })
}
