import type { Document } from '../../../../http/answer/answers.ts'
import { releaseOf } from '../component/identifiers.ts'
import { rulesOf } from '../component/rules-of-mode.ts'
import { nameOf } from '../files/files.ts'
import { eachComponent, type ComponentToWrite, type ExportJob } from '../files/job.ts'
import { VENDOR_SUBMISSION, WORKING_COPY } from './columns.ts'
import { dispositionHeader, findDisposition } from './disposition.ts'
import { sheetName, workbookOf } from './workbook.ts'
import type { RuleSheet, TextSheet } from './worksheet.ts'

/**
 * Writes a workbook with a sheet for each component, and a sheet for its comments if there are any. DISA's vendor sheet
 * has neither comments nor the last column.
 */
export function writeWorkbook(job: ExportJob): Document {
  const vendor = job.mode === 'vendor_submission'
  return {
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    fileName: `${nameOf(job)}${vendor ? '-disa' : ''}.xlsx`,
    body: workbookOf(vendor ? vendorSheets(job) : workingSheets(job), job.now),
  }
}

async function* vendorSheets(job: ExportJob): AsyncGenerator<RuleSheet, void> {
  for await (const exported of eachComponent(job)) yield vendorSheet(exported)
}

/** The sheet that DISA accepts from vendors. */
export function vendorSheet(exported: ComponentToWrite): RuleSheet {
  return {
    kind: 'rules',
    withSource: false,
    columns: VENDOR_SUBMISSION,
    snapshot: exported.snapshot,
    name: sheetName(exported.component.name, endingOf(exported)),
    rules: rulesOf(exported.rules, exported.mode),
  }
}

async function* workingSheets(job: ExportJob): AsyncGenerator<RuleSheet | TextSheet, void> {
  const options = { comments: job.comments, withEmail: job.withEmail, withComponent: false }
  for await (const exported of eachComponent(job)) {
    const { name } = exported.component
    const ending = endingOf(exported)
    const rules = rulesOf(exported.rules, exported.mode)
    const { snapshot } = exported
    const shared = { kind: 'rules', withSource: true, columns: WORKING_COPY, snapshot } as const
    yield { ...shared, name: sheetName(name, ending), rules }
    const comments = await findDisposition(job.reader, exported, options)
    if (comments.length === 0) continue
    const rows = [dispositionHeader(options), ...comments]
    yield { kind: 'texts', name: sheetName(name, `${ending}-comments`), rows }
  }
}

function endingOf({
  component,
}: Parameters<typeof releaseOf>[0] & {
  readonly component: { readonly id: number }
}): string {
  const { version, release } = releaseOf({ component })
  return `-V${version}R${release}-${component.id}`
}
