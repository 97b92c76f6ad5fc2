import type { ImportStep, Operator } from '../guidance/operator.ts'
import { Refusal } from '../platform/errors.ts'
import { isStorageRefusal } from '../platform/storage.ts'
import { asOperator, UsageRefusal, runCommand } from './command.ts'
import { findImportable, type ImportableFile } from './importable.ts'
import { withDisplay, type TaskDisplay } from './progress.ts'
import { formatTable } from './table.ts'

const USAGE = `Usage: npm run import -- FILE|FOLDER... [options]

FILE is an SRG or STIG as XCCDF (XML), a SCAP data stream, a package (zip) or a library (zip of zips).
Or it is reference data, also as .gz or zip: DISA's CCI list (XML), a catalogue of NIST SP 800-53 (OSCAL JSON), a
domain of ATT&CK (STIX 2.1 bundle), or CWE (XML, or the CSV of a view).
In a FOLDER and below it, all such files are imported, in the order of their names; other files are skipped. Each
benchmark is imported as a whole or not at all; existing benchmarks stay unchanged.

  --document-type T   srg or stig: for benchmarks that are not recognised as either
  --version V         such as V1R2: for files that do not state their version
  --replace           replace stored content of the same id and version

The same settings as for the service apply; it may be running.`

const OPTIONS = {
  'document-type': { type: 'string' },
  version: { type: 'string' },
  replace: { type: 'boolean', default: false },
} as const

/** Refusals of files that are not benchmarks. */
const OTHER_THINGS = new Set(['not_a_benchmark', 'unsupported_file_type', 'no_benchmark_in_zip'])

type ReportRow = readonly [outcome: string, benchmark: string, rules: number | '', where: string]

const OPERANDS = { least: 1, most: Infinity, missing: 'Name at least one file or folder.' }

await runCommand({ usage: USAGE, options: OPTIONS, operands: OPERANDS }, async (values, operands) => {
  const options = {
    documentType: kindOf(values['document-type']),
    version: values.version,
    replace: values.replace,
  }
  const importable = await findImportable(operands)
  const imported = await asOperator((operator) => importAll(operator, importable.files, options))
  const rows = [...imported, ...importable.empty.map(emptyRow)]
  const refused = rows.filter(([outcome]) => outcome === 'refused').length
  const table = formatTable(['outcome', 'benchmark or list', 'rules or items', 'file, or what is wrong'], rows)
  const lines = [table, ...describeSkippedFiles(importable.others)]
  if (refused === 0) return lines.join('\n\n')
  process.exitCode = 1
  return [...lines, `${refused} of ${rows.length} refused.`].join('\n\n')
})

function emptyRow(folder: string): ReportRow {
  return ['refused', '', '', `${folder}: There is no XML file and no zip in this folder.`]
}

function describeSkippedFiles(skipped: ReadonlyMap<string, number>): readonly string[] {
  if (skipped.size === 0) return []
  const kinds = [...skipped].map(([ending, count]) => `${count} ${ending || 'without an ending'}`)
  return [`Other files in the folders were skipped: ${kinds.join(', ')}.`]
}

async function importAll(
  operator: Operator,
  files: readonly ImportableFile[],
  options: Parameters<Operator['importFile']>[1],
): Promise<readonly ReportRow[]> {
  return withDisplay('benchmarks', async (display) => {
    const rows: ReportRow[] = []
    for (const file of files) rows.push(...(await importOne(operator, file, { options, display })))
    return rows
  })
}

/** A refused file does not stop the import of the next ones. */
async function importOne(
  operator: Operator,
  { path: file, isFound }: ImportableFile,
  { options, display }: { readonly options: Parameters<Operator['importFile']>[1]; readonly display: TaskDisplay },
): Promise<readonly ReportRow[]> {
  const rows: ReportRow[] = []
  try {
    for await (const { done, total, result } of operator.importFile(file, options)) {
      display.update(`Importing ${file}`, done, total)
      rows.push(rowOf(result, file))
    }
  } catch (error) {
    // The next files would fail in the same way.
    if (!(error instanceof Refusal) || isStorageRefusal(error)) throw error
    const outcome = isFound && OTHER_THINGS.has(error.code) ? 'skipped' : 'refused'
    rows.push([outcome, '', '', `${file}: ${error.message} [${error.code}]`])
  }
  return rows
}

function rowOf(result: ImportStep['result'], file: string): ReportRow {
  if (result.kind === 'reference_data') {
    const { outcome, name, item_count } = result.member
    return [outcome.replaceAll('_', ' '), name, item_count, file]
  }
  const location = [file, result.member.member ?? ''].filter((part) => part !== '').join(' ')
  if (result.kind === 'refused' || result.kind === 'skipped') {
    const { detail, code } = result.member
    return [result.kind, '', '', `${location}: ${detail} [${code}]`]
  }
  const { benchmark_id, version, rule_count, warnings, replaced } = result.member
  const warningCodes = warnings.length === 0 ? '' : ` (${warnings.map(({ code }) => code).join(', ')})`
  const outcome = replaced ? 'replaced' : result.kind.replaceAll('_', ' ')
  return [outcome, `${benchmark_id} ${version}`, rule_count, `${location}${warningCodes}`]
}

function kindOf(type: string | undefined): 'srg' | 'stig' | undefined {
  if (type === undefined || type === 'srg' || type === 'stig') return type
  throw new UsageRefusal(`--document-type ${type}: srg or stig.`)
}
