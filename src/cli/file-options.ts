import { UsageRefusal } from '../commands/command.ts'
import {
  SHEET_ENCODINGS,
  sheetEncoding,
  type SheetEncoding,
} from '../guidance/interchange/spreadsheets/reading/encoding.ts'

/** The value of `--kind`. */
export function kindOf(kind: string | undefined): 'srg' | 'stig' | undefined {
  if (kind === undefined || kind === 'srg' || kind === 'stig') return kind
  throw new UsageRefusal(`--kind ${kind}: srg or stig.`)
}

/** The value of `--encoding`; null: detected from the bytes of a CSV file. */
export function encodingOf(name: string | undefined): SheetEncoding | null {
  const { success, data } = sheetEncoding.safeParse(name ?? '')
  if (success) return data
  throw new UsageRefusal(`--encoding ${name}: must be one of ${SHEET_ENCODINGS.join(', ')}.`)
}
