import type { Document } from '../../../http/answer/answers.ts'
import type { Caller } from '../../../http/caller.ts'
import { yieldPieces } from '../../../platform/concurrency/pieces.ts'
import { namesOf } from '../../../tables/field-lists.ts'
import { FIELDS } from '../../../tables/fields.ts'
import { contentOf } from '../../authoring/attachments/reader.ts'
import { comparisonPieces } from '../../catalogue/benchmark-diff/table.ts'
import { toCsv } from '../../catalogue/benchmarks/csv.ts'
import type { Reader } from '../../database/transaction.ts'
import { rulesOf } from '../exports/component/rules-of-mode.ts'
import { plain, stemOf } from '../exports/files/file-names.ts'
import { zipOf, type Member } from '../exports/files/zip.ts'
import { vendorSheet } from '../exports/tables/workbook-file.ts'
import { workbookOf } from '../exports/tables/workbook.ts'
import { xccdfPieces } from '../exports/xccdf/xccdf.ts'
import { findAttachedFiles, type AttachedFile } from './attached-files.ts'
import { findDifferences, type ReachedMilestone } from './differences.ts'
import { readMilestoneComponent, type MilestoneComponent } from './milestone-component.ts'
import { findReadiness } from './readiness.ts'
import type { PackPart } from './schemas.ts'

interface PackRequest {
  readonly componentId: number
  readonly milestone: ReachedMilestone
  readonly part: PackPart
  readonly caller: Pick<Caller, 'id'>
  /** The version of this program. */
  readonly program: string
}

/**
 * Packs the files of a milestone. The public part has only what a published STIG has. The restricted part has DISA's
 * vendor sheet with all rules, and the files that show how they are met. Neither contains comments.
 */
export async function packOf(reader: Reader, request: PackRequest): Promise<Document> {
  const { milestone, part } = request
  const frozen = await readMilestoneComponent(reader, request)
  const fileName = `${stemOf(frozen.component)}-${plain(milestone.name)}-${part}.zip`
  const members = part === 'public' ? publicMembers : restrictedMembers
  return {
    mediaType: 'application/zip',
    fileName,
    body: zipOf(members(reader, frozen, request), new Date(milestone.reached_at)),
  }
}

/** The fields in a published document. */
const PUBLISHED_FIELDS: ReadonlySet<string> = new Set([
  'title',
  'rule_severity',
  'ident',
  'fixtext',
  'check_content',
  ...namesOf(FIELDS.filter(({ xccdf }) => xccdf !== null)),
])

async function* publicMembers(
  reader: Reader,
  frozen: MilestoneComponent,
  request: PackRequest,
): AsyncGenerator<Member, void> {
  const { milestone } = request
  const mode = frozen.component.document_type === 'stig' ? 'published_stig' : 'published_srg'
  const options = { version: '1.1', mode, date: new Date(milestone.reached_at) } as const
  const { since, rules } = await findDifferences(reader, frozen, {
    ...request,
    rulesOf: (milestoneRules) => rulesOf(milestoneRules, mode),
    fields: PUBLISHED_FIELDS,
  })
  yield descriptionFile(frozen, { ...request, since: since?.name ?? null })
  yield { name: `${stemOf(frozen.component)}-xccdf.xml`, content: yieldPieces(xccdfPieces(frozen, options)) }
  yield changesFile(rules)
}

async function* restrictedMembers(
  reader: Reader,
  frozen: MilestoneComponent,
  request: PackRequest,
): AsyncGenerator<Member, void> {
  const { milestone } = request
  const { since, rules } = await findDifferences(reader, frozen, request)
  yield descriptionFile(frozen, { ...request, since: since?.name ?? null })
  const sheet = vendorSheet({ ...frozen, mode: 'vendor_submission', snapshot: milestone.snapshot ?? '' })
  const name = `${stemOf(frozen.component)}-disa.xlsx`
  yield { name, content: workbookOf(once(sheet), new Date(milestone.reached_at)) }
  yield changesFile(rules)
  yield await readinessTable(reader, milestone)
  const files = await findAttachedFiles(reader, request.componentId, frozen)
  if (files.length === 0) return
  yield attachmentTable(files)
  for (const file of files)
    if (file.present !== null) yield { name: pathOf(file), content: contentOf(reader, file.present) }
}

async function* once<T>(value: T): AsyncGenerator<T, void> {
  yield await Promise.resolve(value)
}

function textFile(name: string, text: string): Member {
  return { name, content: yieldPieces([text]) }
}

/** Describes the pack, without names of people. */
function descriptionFile(
  { component, srg }: MilestoneComponent,
  { milestone, part, program, since }: PackRequest & { readonly since: string | null },
): Member {
  const { name, prefix, version, release, document_type } = component
  const { due_on, reached_at, snapshot } = milestone
  const value = {
    component: { name, prefix, version, release, document_type, srg },
    milestone: { name: milestone.name, due_on, reached_at, snapshot },
    changes_since: since,
    part,
    parapet_version: program,
  }
  return textFile('milestone.json', `${JSON.stringify(value, null, 2)}\n`)
}

function changesFile(rules: Parameters<typeof comparisonPieces>[0]): Member {
  return { name: 'changes.csv', content: yieldPieces(comparisonPieces(rules, 'SRG ID')) }
}

async function readinessTable(reader: Reader, { id }: ReachedMilestone): Promise<Member> {
  const { items } = await findReadiness(reader, id)
  const rows = items.map(({ blocks, rule, message, code }) => [blocks ? 'yes' : 'no', rule ?? '', message, code])
  return textFile('readiness.csv', toCsv([['Blocks Release', 'Rule', 'Item', 'Code'], ...rows]))
}

function attachmentTable(files: readonly AttachedFile[]): Member {
  const rows = files.map((file) => [
    file.rule,
    file.name,
    String(file.bytes ?? ''),
    file.sha256,
    file.present === null ? 'removed since' : pathOf(file),
  ])
  return textFile('attachments.csv', toCsv([['Rule', 'Name', 'Bytes', 'SHA-256', 'File'], ...rows]))
}

/** Has a number, because a rule may have two files with one name. */
function pathOf({ rule, name, number }: AttachedFile): string {
  return `attachments/${rule}/${number}-${plain(name)}`
}
