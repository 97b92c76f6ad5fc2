import { sql } from 'kysely'
import { z } from 'zod'
import { actorOf, type Caller } from '../../../../http/caller.ts'
import { id, optionalText, refuseInput, requiredText } from '../../../../http/input.ts'
import { plainFault } from '../../../../http/plain-faults.ts'
import type { Upload } from '../../../../http/upload.ts'
import { copyRules, NOT_ADDED, requireSources } from '../../../authoring/component-creation/from-srg.ts'
import { withSlackChannel } from '../../../authoring/components/metadata.ts'
import { insertComponent } from '../../../authoring/components/record.ts'
import { insertRules } from '../../../authoring/rule-editing/new-rules.ts'
import { insertLinks } from '../../../authoring/rule-links/satisfactions.ts'
import type { Writer } from '../../../database/transaction.ts'
import type { Parts } from '../../../parts/parts.ts'
import { requireProjectRole, type ProjectGrant } from '../../../parts/project-access.ts'
import { requireNamed, sheetEncoding } from '../reading/encoding.ts'
import { readSpreadsheet, type Sheet } from '../reading/read.ts'
import { withErrorMember } from '../reading/refusals.ts'
import { rulesOf, type SheetRules } from './new-rules.ts'
import { sheetPrefix } from './prefix.ts'
import { findRequirements } from './requirements.ts'

const wholeNumber = (label: string): z.ZodType<number | null, string> =>
  z
    .string()
    .trim()
    .regex(/^\d{0,9}$/, `${label} must be a whole number`)
    .transform((text) => (text === '' ? null : Number(text)))

const form = z.object({
  name: requiredText('Name', { max: 255 }),
  title: requiredText('Title', { max: 500 }),
  security_requirements_guide_id: z
    .string("Security requirements guide can't be blank")
    .pipe(id)
    .catch(0)
    .refine((number) => number > 0, 'Security requirements guide must exist'),
  prefix: sheetPrefix.optional(),
  encoding: sheetEncoding.optional(),
  version: wholeNumber('Version').optional(),
  release: wholeNumber('Release').optional(),
  description: optionalText('Description', { max: 5000 }).optional(),
  admin_name: optionalText('Admin name', { max: 255 }).optional(),
  admin_email: optionalText('Admin email', { max: 255 }).optional(),
  slack_channel_id: optionalText('Slack channel', { max: 255 }).optional(),
})

type CreationForm = z.output<typeof form>

interface CreationResult {
  readonly componentId: number
  /** Names the component, and cells that may have been misunderstood. */
  readonly message: string
}

/**
 * Makes a STIG component from a spreadsheet. Its rows become rules, numbered like their STIGIDs, followed by the SRG's
 * requirements without a row. With a prefix, rows need no STIGIDs. Form fields are named `name` or `component[name]`.
 * Faults of the sheet are 422 with the member `error`.
 */
export async function createFromSpreadsheet(
  { database }: Pick<Parts, 'database'>,
  grant: ProjectGrant,
  upload: Upload,
): Promise<CreationResult> {
  const input = parseForm(upload.fields)
  const { encoding = null } = input
  const sheet = await readSpreadsheet(upload, grant.caller, encoding)
  try {
    requireNamed(sheet.encoding, encoding)
    return await database.transact((writer) => create(writer, grant, { input, sheet }))
  } catch (error) {
    throw withErrorMember(error)
  }
}

function parseForm(fields: Upload['fields']): CreationForm {
  const component = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [/^component\[(\w+)\]$/.exec(name)?.[1] ?? name, value]),
  )
  const body = { component }
  const parsed = z.object({ body: z.object({ component: form }) }).safeParse({ body }, { error: plainFault })
  if (!parsed.success) throw refuseInput(parsed.error, { body }, NOT_ADDED)
  return parsed.data.body.component
}

async function create(
  writer: Writer,
  { caller, projectId }: ProjectGrant,
  { input, sheet }: { readonly input: CreationForm; readonly sheet: Sheet },
): Promise<CreationResult> {
  await writer.lock('project', projectId)
  await requireProjectRole(writer, caller, { projectId, least: 'admin' })
  const srgId = input.security_requirements_guide_id
  await requireSources(writer, [srgId], 'stig')
  const requirements = await findRequirements(writer, srgId)
  const sheetRules = rulesOf(sheet.records, requirements, input.prefix ?? null)
  const componentId = await insertEmpty(writer, { input, projectId, caller }, sheetRules.prefix)
  await addMissingRequirements(writer, { componentId, srgId, caller }, sheetRules)
  const warnings = [...sheet.warnings, ...sheetRules.warnings]
  return { componentId, message: [countOf(sheetRules), ...warnings].join('\n') }
}

interface EmptyComponent {
  readonly input: CreationForm
  readonly projectId: number
  readonly caller: Caller
}

function insertEmpty(writer: Writer, { input, projectId, caller }: EmptyComponent, prefix: string): Promise<number> {
  const { name, title, description, version, release, admin_name, admin_email } = input
  const isNamed = admin_name != null || admin_email != null
  const record = {
    projectId,
    documentType: 'stig' as const,
    overlaid: null,
    publishedSource: null,
    name,
    prefix,
    title,
    srgIds: [input.security_requirements_guide_id],
    advancedFields: false,
    description: description ?? null,
    version: version ?? null,
    release: release ?? null,
    admin: isNamed ? { name: admin_name ?? null, email: admin_email ?? null } : null,
    metadata: withSlackChannel({}, input.slack_channel_id),
  }
  return insertComponent(writer, record, caller)
}

/** Adds the requirements without a row, numbered after the rows. */
async function addMissingRequirements(
  writer: Writer,
  { componentId, srgId, caller }: { readonly componentId: number; readonly srgId: number; readonly caller: Caller },
  { rules, links, missing }: SheetRules,
): Promise<void> {
  const ids = await insertRules(writer, rules, { componentId, actor: actorOf(caller) })
  const newLinks = links.map(({ number, satisfiedBy }) => ({
    rule_id: ids.get(number) ?? 0,
    satisfied_by_rule_id: ids.get(satisfiedBy) ?? 0,
    previous_status: null,
  }))
  await insertLinks(writer, newLinks)
  if (missing.length === 0) return
  const condition = sql`rule.benchmark_id = ${srgId} and rule.version in (${sql.join(missing)})`
  await copyRules(writer, componentId, condition)
}

function countOf({ rules, missing }: SheetRules): string {
  const added = missing.length === 0 ? '' : `; ${missing.length} requirements were missing in it`
  return `${rules.length} rules from the spreadsheet${added}.`
}
