import { z } from 'zod'
import { endpoint, type Endpoint } from '../../../../http/endpoint.ts'
import { idParams } from '../../../../http/input.ts'
import { toast, toastSchema } from '../../../../http/toast.ts'
import { Refusal } from '../../../../platform/errors.ts'
import { SHEET_TEXTS } from '../../../../tables/field-lists.ts'
import { RULE_STATUSES } from '../../../../tables/statuses.ts'
import { componentRole, requireComponentRole, type ComponentGrant } from '../../../authoring/access/component-access.ts'
import { changeRules, type ColumnsAndParts } from '../../../authoring/rule-editing/writer.ts'
import type { Writer } from '../../../database/transaction.ts'
import type { Parts } from '../../../parts/parts.ts'
import { readEncodingSchema, requireNamed, sheetEncoding } from '../reading/encoding.ts'
import { readSpreadsheet, type Sheet } from '../reading/read.ts'
import { unusable, withErrorMember } from '../reading/refusals.ts'
import { checkChanges } from './check-changes.ts'
import type { Comparison, UpdatedField } from './compare.ts'
import { planSchema, planUpdate, shapePlan, type Plan } from './plan.ts'

const TAG = 'Spreadsheets'
/** Title of the toast when a sheet cannot be applied. */
const NOT_APPLIED = 'Could not update rules from spreadsheet.'

/** Changes of a component's rules by spreadsheet. */
export function spreadsheetUpdateEndpoints(parts: Parts): readonly Endpoint[] {
  return [preview(parts), apply(parts)]
}

function preview({ database }: Parts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/components/{id}/preview_spreadsheet_update',
    operation: 'previewSpreadsheetUpdate',
    tag: TAG,
    summary: 'Preview the changes that a spreadsheet (.xlsx or CSV) would make',
    refusals: ['spreadsheet_unusable', 'bad_encoding'],
    access: componentRole(database, 'author', { unreleased: true }),
    upload: true,
    input: z.object({ params: idParams, body: z.object({ encoding: sheetEncoding.optional() }) }),
    answer: planSchema.extend({
      fingerprint: z.string().meta({ description: 'Send it with the file to apply exactly these changes' }),
      encoding: readEncodingSchema,
    }),
    handle: async ({ grant, upload, input: { body } }) => {
      requireStig(grant)
      const sheet = await readSpreadsheet(upload, grant.caller, body.encoding)
      const plan = await withErrorMembers(() => planUpdate(database.read, grant.componentId, sheet))
      return { ...shapePlan(plan), fingerprint: plan.fingerprint, encoding: sheet.encoding }
    },
  })
}

const form = z.object({
  encoding: sheetEncoding.optional(),
  fingerprint: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'Fingerprint must be the one of a preview')
    .optional()
    .meta({
      description: 'The fingerprint of the preview; refused with 409 when a rule has changed since then',
    }),
})

function apply({ database }: Parts): Endpoint {
  return endpoint({
    method: 'patch',
    path: '/components/{id}/apply_spreadsheet_update',
    operation: 'applySpreadsheetUpdate',
    tag: TAG,
    summary: 'Update the rules of a component from a spreadsheet (.xlsx or CSV): all or none',
    refusals: ['edit_conflict', 'spreadsheet_unusable', 'bad_encoding'],
    access: componentRole(database, 'author', { unreleased: true }),
    upload: true,
    failure: NOT_APPLIED,
    input: z.object({ params: idParams, body: form }),
    answer: planSchema.extend({ toast: toastSchema }),
    handle: async ({ grant, upload, input: { body } }) => {
      requireStig(grant)
      const { encoding = null } = body
      const sheet = await readSpreadsheet(upload, grant.caller, encoding)
      const expectedFingerprint = body.fingerprint ?? null
      const plan = await withErrorMembers(() => {
        requireNamed(sheet.encoding, encoding)
        return database.transact((writer) => applySheet(writer, { grant, sheet, expectedFingerprint }))
      })
      const shaped = shapePlan(plan)
      const title = `Successfully updated ${shaped.updated.length} rules from spreadsheet.`
      const unchanged = `${shaped.unchanged.length} rules already matched the spreadsheet.`
      return { ...shaped, ...toast(title, [unchanged, ...shaped.warnings].join('\n')) }
    },
  })
}

function requireStig({ documentType }: ComponentGrant): void {
  if (documentType === 'stig') return
  throw withErrorMember(unusable('A spreadsheet can only update the rules of a STIG.'))
}

/** Adds the member `error` to refusals, as for those of reading the sheet. */
async function withErrorMembers<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw withErrorMember(error)
  }
}

interface ApplyRequest {
  readonly grant: ComponentGrant
  readonly sheet: Sheet
  /** The fingerprint of the preview that the caller has seen. */
  readonly expectedFingerprint: string | null
}

async function applySheet(writer: Writer, { grant, sheet, expectedFingerprint }: ApplyRequest): Promise<Plan> {
  const { caller, componentId, projectId } = grant
  await writer.lock('component', componentId)
  await requireComponentRole(writer, caller, { componentId, least: 'author', unreleased: true })
  const plan = await planUpdate(writer, componentId, sheet)
  if (expectedFingerprint !== null && expectedFingerprint !== plan.fingerprint)
    throw new Refusal(
      'edit_conflict',
      'Somebody else has changed rules of the component since the preview. Look at a new preview, then apply.',
      { current: { fingerprint: plan.fingerprint } },
    )
  const changed = plan.comparisons.filter(({ changes }) => changes.size > 0)
  const rules = changed.map((comparison) => ({
    rule: comparison.rule,
    change: changeOf(comparison),
    failure: NOT_APPLIED,
  }))
  await changeRules(writer, rules, { caller, projectId, comment: 'Updated from a spreadsheet' })
  return plan
}

const status = z.enum(RULE_STATUSES)
const severity = z.enum(['high', 'medium', 'low'])

function changeOf({ rule, changes }: Comparison): ColumnsAndParts {
  const text = (field: UpdatedField): string | null | undefined => {
    const change = changes.get(field)
    return change === undefined ? undefined : change.to
  }
  const check = text('check')
  const columns = {
    title: text('title') ?? undefined,
    status: status.optional().parse(text('status')),
    rule_severity: severity.optional().parse(text('severity')),
    ...Object.fromEntries(SHEET_TEXTS.map(({ name, sheet }) => [name, text(sheet.name)])),
  }
  return { columns, checks_attributes: check === undefined ? [] : checkChanges(rule, check) }
}
