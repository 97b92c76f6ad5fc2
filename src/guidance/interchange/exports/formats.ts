import type { Document } from '../../../http/answer/answers.ts'
import { csvPieces, type CsvRow } from '../../../platform/csv/csv.ts'
import { EXPORT_FORMATS, type ExportType, type Mode } from '../../../tables/export-formats.ts'
import { cklPieces } from '../../catalogue/checklists/ckl.ts'
import { cklbPieces } from '../../catalogue/checklists/cklb.ts'
import type { BenchmarkKind } from '../../database/schema/benchmarks.ts'
import { writeArchive } from '../archives/format/write.ts'
import { componentChecklist } from './checklists/component-checklist.ts'
import type { ExportedComponent } from './component/component.ts'
import { rulesOf } from './component/rules-of-mode.ts'
import { nameOf, writeFiles } from './files/files.ts'
import { dateOf, type ExportJob } from './files/job.ts'
import { writeProfiles } from './inspec/inspec-file.ts'
import { componentDefinitionPieces } from './oscal/component-definition.ts'
import { WORKING_COPY } from './tables/columns.ts'
import { writeDisposition } from './tables/disposition-file.ts'
import { writeWorkbook } from './tables/workbook-file.ts'
import { xccdfPieces, type XccdfOptions } from './xccdf/xccdf.ts'

type Write = (job: ExportJob) => Document

/** A format of exported components. */
export interface Format {
  readonly kinds: readonly BenchmarkKind[]
  readonly modes: readonly Mode[]
  readonly write: Write
}

const CSV = 'text/csv; charset=utf-8; header=present'

const WRITERS: Readonly<Record<ExportType, Write>> = {
  csv: writeTables,
  excel: writeWorkbook,
  disa_excel: writeWorkbook,
  xccdf: xccdf('1.1'),
  xccdf_1_2: xccdf('1.2'),
  inspec: writeProfiles,
  oscal: writeOscal,
  ckl: checklist('.ckl', 'application/xml', cklPieces),
  cklb: checklist('.cklb', 'application/json', cklbPieces),
  json_archive: writeBackup,
  disposition_csv: writeDisposition,
}

/** The formats by their names in paths. */
export const FORMATS: ReadonlyMap<string, Format> = new Map(
  EXPORT_FORMATS.map(({ type, kinds, modes }) => [type, { kinds, modes, write: WRITERS[type] }]),
)

function xccdf(version: XccdfOptions['version']): Write {
  return (job) =>
    writeFiles(job, {
      mediaType: 'application/xml',
      ending: version === '1.1' ? '-xccdf.xml' : '-xccdf-1.2.xml',
      pieces: (component) => {
        const { mode, snapshot } = component
        return xccdfPieces(component, { version, mode, snapshot, date: dateOf(component, job) })
      },
    })
}

function writeOscal(job: ExportJob): Document {
  return writeFiles(job, {
    mediaType: 'application/json',
    ending: '-oscal.json',
    pieces: (exported) => componentDefinitionPieces(exported, { mode: exported.mode, date: dateOf(exported, job) }),
  })
}

function checklist(ending: string, mediaType: string, pieces: typeof cklPieces): Write {
  return (job) =>
    writeFiles(job, {
      mediaType,
      ending,
      pieces: (component) => {
        const { mode, snapshot } = component
        return pieces(componentChecklist(component, { mode, snapshot, date: dateOf(component, job) }))
      },
    })
}

/** Writes all rules and comments, whatever filters the request has. Adds the project if that is exported. */
function writeBackup(job: ExportJob): Document {
  return writeArchive({
    reader: job.reader,
    includeSrg: job.includeSrg,
    includeMemberships: job.includeMemberships,
    withEmail: job.withEmail,
    onlyRules: false,
    now: job.now,
    componentIds: job.components.map(({ id }) => id),
    withProject: job.groupName !== null,
    fileName: nameOf(job),
    version: job.program,
  })
}

function writeTables(job: ExportJob): Document {
  return writeFiles(job, {
    mediaType: CSV,
    ending: '.csv',
    pieces: (exported) => csvPieces(workingCopyRows(exported), { mark: true }),
  })
}

function* workingCopyRows(exported: ExportedComponent & { readonly mode: Mode }): Generator<CsvRow, void> {
  yield WORKING_COPY.map(({ header }) => header)
  for (const rule of rulesOf(exported.rules, exported.mode)) yield WORKING_COPY.map(({ value }) => value(rule))
}
