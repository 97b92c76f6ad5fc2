import type { Caller } from '../../../../http/caller.ts'
import type { Upload } from '../../../../http/upload.ts'
import { Refusal } from '../../../../platform/errors.ts'
import { pick } from '../../../../platform/records.ts'
import { partsReader } from '../../../../platform/threads/read-parts.ts'
import { siblingModule } from '../../../../platform/threads/thread.ts'
import { DESCRIPTION_FIELDS, namesOf, RULE_FIELDS, SHEET_FIELDS } from '../../../../tables/field-lists.ts'
import { headText } from '../../../catalogue/files/encoding.ts'
import { readHead } from '../../../catalogue/files/read-head.ts'
import { openZip } from '../../../catalogue/files/zip.ts'
import { displayedName } from '../../../database/rule-names.ts'
import type { Archive, ArchivedComponent } from '../../archives/format/archive.ts'
import { readArchive } from '../../archives/format/read-in-thread.ts'
import { markedChecks } from '../../exports/component/check-text.ts'
import { SNAPSHOT } from '../../exports/component/snapshot.ts'
import type { SheetEncoding } from '../../spreadsheets/reading/encoding.ts'
import { readSpreadsheet, type Sheet } from '../../spreadsheets/reading/read.ts'
import { type SheetRecord, srgIdOf, stigIdOf } from '../../spreadsheets/reading/records.ts'
import { quoted } from '../../spreadsheets/reading/refusals.ts'
import { severityOf, statusOf } from '../../spreadsheets/reading/values.ts'
import { type FieldValue, MERGED_COLUMNS, type MergedField } from '../planning/fields.ts'
import { FILE_PARTS } from './file-parts.ts'
import { isProfileFile } from './inspec/profile-files.ts'
import type { FileForm, FileFormat, FileRule, MergeFile, ReadTask } from './merge-file.ts'
import { notMergeable } from './refusals.ts'

type SheetRules = Pick<MergeFile, 'form' | 'rules' | 'warnings' | 'encoding'>

const readParts = partsReader(siblingModule(import.meta.url, 'file-worker'), FILE_PARTS)

export interface ReadingContext {
  readonly caller: Pick<Caller, 'id'>
  /** The encoding of a CSV file. Null takes the one that its bytes show. */
  readonly encoding: SheetEncoding | null
  readonly component: { readonly name: string; readonly prefix: string; readonly document_type: 'stig' | 'srg' }
}

/**
 * Reads a file to merge: a spreadsheet, an archive, an XCCDF file, a checklist or an InSpec profile. Recognises it by
 * its bytes, and only a single Ruby file by its name. Refuses the same files as the imports of each kind, and with
 * `merge_unusable`.
 */
export async function readMergeFile(upload: Upload, context: ReadingContext): Promise<MergeFile> {
  const { caller, component } = context
  const kind = await kindOf(upload)
  if (kind === 'archive') {
    const archive = archiveRules(await readArchive(upload, caller), component)
    return { format: 'archive', form: 'archive', warnings: [], encoding: null, ...archive }
  }
  if (kind !== 'spreadsheet') return readDocument(upload, context, kind)
  if (component.document_type !== 'stig')
    throw notMergeable('A spreadsheet can only be merged into a STIG. Send an archive or an XCCDF file.')
  const sheet = await readSpreadsheet(upload, caller, context.encoding)
  return { format: 'spreadsheet', snapshots: await snapshotsOf(upload.path), ...sheetRules(sheet) }
}

async function readDocument(
  { path, bytes }: Upload,
  { caller, component }: ReadingContext,
  kind: ReadTask['kind'],
): Promise<MergeFile> {
  let head: Pick<MergeFile, 'format' | 'snapshots' | 'warnings'> = { format: 'xccdf', snapshots: [], warnings: [] }
  const rules: FileRule[] = []
  for await (const part of readParts({ task: { path, kind }, bytes, account: caller.id })) {
    if (part.kind === 'head') head = pick(part, ['format', 'snapshots', 'warnings'])
    // Requirements of an SRG have no STIG ids; files have the id of the requirement in their place.
    else if (component.document_type === 'srg' && kind === 'document')
      rules.push(...part.rules.map((rule) => ({ ...rule, stigId: '' })))
    else rules.push(...part.rules)
  }
  return { ...head, form: formOf(head.format), rules, encoding: null }
}

function formOf(format: FileFormat): FileForm {
  if (format === 'inspec') return 'profile'
  return format === 'xccdf' ? 'xccdf' : 'checklist'
}

async function kindOf({ path, fileName }: Upload): Promise<'spreadsheet' | 'archive' | ReadTask['kind']> {
  const { head } = await readHead(path)
  if (head.length === 0) throw new Refusal('empty_file', 'The file is empty.')
  if (isZip(head)) return zipKind(path)
  if (head[0] === 0x1f && head[1] === 0x8b) return 'tar.gz'
  if (/\.rb$/i.test(fileName)) return 'ruby'
  return /^\ufeff?(?:\xef\xbb\xbf)?\s*(?:<|\{\s*["}])/.test(headText(head)) ? 'document' : 'spreadsheet'
}

function isZip(head: Buffer): boolean {
  return head.toString('latin1').startsWith('PK')
}

async function zipKind(path: string): Promise<'spreadsheet' | 'archive' | 'zip'> {
  const zip = await openZip(path, (name) => name === 'manifest.json' || isProfileFile(name))
  zip.close()
  if (zip.members.some(({ name }) => name === 'manifest.json')) return 'archive'
  return zip.members.length > 0 ? 'zip' : 'spreadsheet'
}

/** The size of the document properties, which are much smaller in exports. */
const MAX_PROPERTIES = 100_000

/** Finds the digests in the document properties of a workbook. CSV files have none. */
async function snapshotsOf(path: string): Promise<readonly string[]> {
  const { head } = await readHead(path)
  if (!isZip(head)) return []
  const zip = await openZip(path, (name) => name === 'docProps/custom.xml')
  try {
    const member = zip.members.find(({ name }) => name === 'docProps/custom.xml')
    let text = ''
    for await (const chunk of member?.read() ?? []) {
      text += Buffer.from(chunk).toString('latin1')
      if (text.length > MAX_PROPERTIES) return []
    }
    return [...text.matchAll(new RegExp(`name="${SNAPSHOT}[ 0-9]*"[^>]*>\\s*<[^>]*>([0-9a-f]{64})<`, 'g'))].flatMap(
      ([, digest]) => digest ?? [],
    )
  } finally {
    zip.close()
  }
}

/** Reads the rules of a spreadsheet. Leaves out cells that have no value for their field, with a warning. */
function sheetRules({ records, warnings, encoding }: Sheet): SheetRules {
  const valueWarnings: string[] = []
  const rules = records.map((record) => ruleOf(record, valueWarnings))
  // DISA's vendor sheet has none of the columns that only a working copy has.
  const isVendor = records.every(({ values }) => values.vendor_comments === undefined && values.satisfies === undefined)
  return {
    form: isVendor ? 'vendor sheet' : 'working copy',
    rules,
    warnings: [...warnings, ...valueWarnings],
    encoding,
  }
}

function ruleOf(record: SheetRecord, warnings: string[]): FileRule {
  const values: Partial<Record<MergedField, FieldValue>> = {}
  for (const { name, sheet } of SHEET_FIELDS) {
    const text = record.values[sheet.name]
    const value = text === undefined ? undefined : valueOf(name, text)
    if (value !== undefined) values[name] = value
    else if (text !== undefined && text !== '')
      warnings.push(`Row ${record.row}: ${sheet.name} ${quoted(text)} is not known; it stays as it is.`)
  }
  if (record.values.check !== undefined) values.check_content = record.values.check || null
  return { place: `Row ${record.row}`, srgId: srgIdOf(record), stigId: stigIdOf(record), values }
}

/** Undefined if the text is not a value of the field. */
function valueOf(name: (typeof SHEET_FIELDS)[number]['name'], text: string): string | null | undefined {
  if (name === 'title') return text.trim() === '' ? undefined : text.trim()
  if (name === 'status') return statusOf(text) ?? undefined
  if (name === 'rule_severity') return severityOf(text) ?? undefined
  return text === '' ? null : text
}

/** Selects the rules of one component of an archive: the only one, or the one with this name and prefix. */
function archiveRules(
  { components }: Archive,
  component: { readonly name: string; readonly prefix: string },
): Pick<MergeFile, 'rules' | 'snapshots'> {
  const [first, second] = components
  const sameName = components.find(
    ({ component: { name, prefix } }) => name === component.name && prefix === component.prefix,
  )
  const chosenComponent = sameName ?? (second === undefined ? first : undefined)
  if (chosenComponent === undefined)
    throw notMergeable(
      `The archive has ${components.length} components, but no ${component.name} (${component.prefix}).`,
    )
  const { snapshot } = chosenComponent.component
  return { rules: rulesOf(chosenComponent), snapshots: snapshot === null ? [] : [snapshot] }
}

function rulesOf({ component, rules }: ArchivedComponent): readonly FileRule[] {
  return rules
    .filter(({ deleted_at }) => deleted_at === null)
    .map((rule) => {
      const stigId = displayedName(component.prefix, Number(rule.rule_id))
      return { place: stigId, srgId: rule.version ?? '', stigId, values: valuesOf(rule) }
    })
}

function valuesOf(rule: ArchivedComponent['rules'][number]): FileRule['values'] {
  const [description] = rule.disa_rule_descriptions
  const statedValues: Readonly<Record<string, FieldValue | undefined>> = {
    ...pick(rule, namesOf(RULE_FIELDS)),
    ...(description !== undefined && pick(description, namesOf(DESCRIPTION_FIELDS))),
  }
  const values: Partial<Record<MergedField, FieldValue>> = {}
  for (const name of MERGED_COLUMNS) {
    const value = statedValues[name]
    if (value !== undefined) values[name] = value
  }
  if (rule.title === null || rule.title.trim() === '') delete values.title
  return { ...values, check_content: markedChecks(rule) || null }
}
