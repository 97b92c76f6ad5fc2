import { Refusal } from '../../../../platform/errors.ts'
import { groupDigits } from '../../../catalogue/files/limits.ts'
import { openZip, type Zip, type ZipMember } from '../../../catalogue/files/zip.ts'
import { isBuiltInDate, isDateFormat } from './formats.ts'
import { MAX_FORMATS, MAX_STRINGS, MAX_UNPACKED_BYTES } from './limits.ts'
import { unusable } from './refusals.ts'
import { tooMany } from './row.ts'
import { parsePart, type PartHandler } from './xml.ts'

/** The parts of a workbook that are needed to read its sheets. */
export interface Workbook {
  /** The visible sheets in order, or all sheets if all are hidden; at least one. */
  readonly sheets: readonly { readonly name: string; readonly member: ZipMember }[]
  readonly strings: readonly string[]
  /** Whether each cell format shows numbers as dates. */
  readonly dates: readonly boolean[]
  readonly calendar: 'from1900' | 'from1904'
  /** Unpacks a member. All members of the workbook share one limit. */
  readonly unpack: (member: ZipMember) => AsyncGenerator<Uint8Array, void>
  readonly close: () => void
}

/** Recognises other kinds of zips. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^word\//, 'a Word document'],
  [/^ppt\//, 'a PowerPoint presentation'],
  [/^content\.xml$/, 'an OpenDocument file'],
  [/^Index\/Document\.iwa$/, 'a Numbers, Pages or Keynote document'],
  [/\.bin$/, 'a binary workbook (.xlsb)'],
]

/** Opens a workbook (ECMA-376, .xlsx). Refuses any other zip, and names its kind. */
export async function openWorkbook(file: string): Promise<Workbook> {
  const zip = await openZip(file, () => true)
  const close = (): void => {
    zip.close()
  }
  try {
    return { ...(await readWorkbook(zip)), close }
  } catch (error) {
    close()
    throw error
  }
}

async function readWorkbook({ members }: Zip): Promise<Omit<Workbook, 'close'>> {
  // Names of parts are case-insensitive.
  const byName = new Map(members.map((member) => [member.name.toLowerCase(), member]))
  const main = byName.get('xl/workbook.xml')
  if (members.some(({ name }) => /(?:^|\/)vbaProject\.bin$/i.test(name)))
    throw wrongKind('The spreadsheet has macros. Save it without them, as .xlsx.')
  if (main === undefined) throw wrongKind(`The file is ${kindOf(members)}, not .xlsx or CSV.`)
  const unpack = unpacker()
  const read = async (path: string, handler: PartHandler): Promise<void> => {
    const member = byName.get(path)
    if (member !== undefined) await parsePart(member, unpack(member), handler)
  }
  const { entries, calendar } = await readMain(read)
  const parts = await readRelations(read)
  const visibleSheets = entries.flatMap(({ id, name, isHidden }) => {
    const member = byName.get(parts.get(id) ?? '')
    return member === undefined ? [] : [{ name, isHidden, member }]
  })
  const visible = visibleSheets.filter(({ isHidden }) => !isHidden)
  const sheets = visible.length > 0 ? visible : visibleSheets
  if (sheets.length === 0) throw unusable('The spreadsheet is damaged: it has no sheet.')
  const [strings, dates] = [await readStrings(read), await readDateFormats(read)]
  return { sheets, strings, dates, calendar, unpack }
}

/** A sheet in the list of the workbook. */
interface SheetEntry {
  /** The id of the relation to the sheet's part. */
  readonly id: string
  readonly name: string
  readonly isHidden: boolean
}

type ReadPart = (path: string, handler: PartHandler) => Promise<void>

function wrongKind(detail: string): Refusal {
  return new Refusal('unsupported_file_type', detail)
}

function kindOf(members: readonly ZipMember[]): string {
  const kind = KINDS.find(([pattern]) => members.some(({ name }) => pattern.test(name)))
  return kind?.[1] ?? 'a zip'
}

function unpacker(): Workbook['unpack'] {
  let remainingBytes = MAX_UNPACKED_BYTES
  return async function* (member) {
    for await (const chunk of member.read()) {
      remainingBytes -= chunk.length
      if (remainingBytes < 0) throw tooMuch()
      yield chunk
    }
  }
}

function tooMuch(): Refusal {
  const limit = `${MAX_UNPACKED_BYTES / 1_000_000} MB`
  return new Refusal('too_large', `The uncompressed size of the spreadsheet exceeds ${limit}.`)
}

const doNothing = (): void => undefined

async function readMain(
  read: ReadPart,
): Promise<{ readonly entries: readonly SheetEntry[]; readonly calendar: Workbook['calendar'] }> {
  const entries: SheetEntry[] = []
  let calendar: Workbook['calendar'] = 'from1900'
  await read('xl/workbook.xml', {
    open: (name, attributes) => {
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1]
      if (name === 'sheet' && id !== undefined && entries.length < 1000)
        entries.push({
          id,
          name: attributes['name'] ?? '',
          isHidden: /^(?:hidden|veryHidden)$/.test(attributes['state'] ?? ''),
        })
      if (name === 'workbookPr' && /^(?:1|true)$/.test(attributes['date1904'] ?? '')) calendar = 'from1904'
    },
    text: doNothing,
    close: doNothing,
  })
  return { entries, calendar }
}

/** Finds the paths of worksheets by relation id, without charts. */
async function readRelations(read: ReadPart): Promise<ReadonlyMap<string, string>> {
  const parts = new Map<string, string>()
  await read('xl/_rels/workbook.xml.rels', {
    open: (name, { Id, Type = '', Target = '' }) => {
      if (name !== 'Relationship' || Id === undefined || !Type.endsWith('/worksheet')) return
      const path = Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`
      parts.set(Id, path.replace(/^xl\/\.\//, 'xl/').toLowerCase())
    },
    text: doNothing,
    close: doNothing,
  })
  return parts
}

async function readStrings(read: ReadPart): Promise<readonly string[]> {
  const strings: string[] = []
  const text = new RichText()
  await read('xl/sharedstrings.xml', {
    open: (name) => {
      if (name === 'si') text.clear()
      else text.open(name)
    },
    text: (piece) => {
      text.add(piece)
    },
    close: (name) => {
      text.close(name)
      if (name !== 'si') return
      if (strings.length >= MAX_STRINGS)
        throw new Refusal('too_large', `More texts than the limit of ${groupDigits(MAX_STRINGS)}.`)
      strings.push(text.value)
    },
  })
  return strings
}

/** Joins the runs of a rich text, without the phonetic ones (`rPh`). */
export class RichText {
  #pieces: string[] = []
  #inside = false
  #phonetic = false

  clear(): void {
    this.#pieces = []
    this.#inside = false
    this.#phonetic = false
  }

  open(name: string): void {
    if (name === 'rPh') this.#phonetic = true
    if (name === 't') this.#inside = !this.#phonetic
  }

  add(piece: string): void {
    if (this.#inside) this.#pieces.push(piece)
  }

  close(name: string): void {
    if (name === 'rPh') this.#phonetic = false
    if (name === 't') this.#inside = false
  }

  get value(): string {
    return unescaped(this.#pieces.join(''))
  }
}

/** Decodes escapes such as `_x000D_`, which stand for characters that XML cannot have (ECMA-376 §22.9.2.19). */
export function unescaped(text: string): string {
  return text.replaceAll(/_x([0-9a-f]{4})_/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

async function readDateFormats(read: ReadPart): Promise<readonly boolean[]> {
  const hiddenRows = new Map<number, boolean>()
  const dates: boolean[] = []
  let inCells = false
  await read('xl/styles.xml', {
    open: (name, attributes) => {
      const id = Number(attributes['numFmtId'] ?? 0)
      if (hiddenRows.size + dates.length > MAX_FORMATS) throw tooMany('formats', MAX_FORMATS)
      if (name === 'numFmt') hiddenRows.set(id, isDateFormat(attributes['formatCode'] ?? ''))
      if (name === 'cellXfs') inCells = true
      if (name === 'xf' && inCells) dates.push(hiddenRows.get(id) ?? isBuiltInDate(id))
    },
    text: doNothing,
    close: (name) => {
      if (name === 'cellXfs') inCells = false
    },
  })
  return dates
}
