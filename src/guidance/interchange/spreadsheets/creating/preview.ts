import { z } from 'zod'
import { signedIn } from '../../../../http/access.ts'
import { endpoint, type Endpoint } from '../../../../http/endpoint.ts'
import { recordOf } from '../../../../platform/records.ts'
import { namesOf, SHEET_TEXTS } from '../../../../tables/field-lists.ts'
import { NOT_ADDED } from '../../../authoring/component-creation/from-srg.ts'
import { changesBetween, joinTexts, type ComparedFields } from '../../../catalogue/benchmark-diff/compare.ts'
import { findBenchmarkHead } from '../../../catalogue/benchmarks/reader.ts'
import { displayedName } from '../../../database/rule-names.ts'
import type { Parts } from '../../../parts/parts.ts'
import { readEncodingSchema, sheetEncoding } from '../reading/encoding.ts'
import { readSpreadsheet } from '../reading/read.ts'
import { withErrorMember } from '../reading/refusals.ts'
import { rulesOf, type SheetRules } from './new-rules.ts'
import { sheetPrefix } from './prefix.ts'
import { findRequirements, type Requirement } from './requirements.ts'

const text = z.string().nullable()

const preview = z.object({
  prefix: z.string(),
  rules: z.array(
    z.object({
      displayed_name: z.string(),
      srg_id: text,
      title: z.string(),
      changes: z
        .array(z.object({ field: z.string(), before: text, after: text }))
        .meta({ description: 'Cells that differ from the SRG' }),
    }),
  ),
  missing: z.array(z.string()).meta({ description: 'Requirements without a row in the sheet' }),
  warnings: z.array(z.string()).meta({ description: 'Cells that are not imported unchanged' }),
  encoding: readEncodingSchema,
})

/** A number in a form, where all values are texts. */
const number = z
  .string("Security requirements guide can't be blank")
  .regex(/^[1-9]\d{0,8}$/, 'Security requirements guide must exist')

/** Previews a component from a spreadsheet; creates nothing. */
export function previewCreationEndpoint({ database }: Pick<Parts, 'database'>): Endpoint {
  return endpoint({
    method: 'post',
    path: '/components/preview_spreadsheet',
    operation: 'previewSpreadsheet',
    tag: 'Spreadsheets',
    summary: 'Preview a component from a spreadsheet (.xlsx or CSV), compared with its SRG',
    refusals: ['not_found', 'spreadsheet_unusable', 'bad_encoding'],
    access: signedIn,
    upload: true,
    failure: NOT_ADDED,
    input: z.object({
      body: z.object({
        security_requirements_guide_id: number,
        prefix: sheetPrefix.optional(),
        encoding: sheetEncoding.optional(),
      }),
    }),
    answer: preview,
    handle: async ({ grant, upload, input: { body } }) => {
      const srgId = Number(body.security_requirements_guide_id)
      await findBenchmarkHead(database.read, srgId, 'srg')
      const sheet = await readSpreadsheet(upload, grant.caller, body.encoding)
      const requirements = await findRequirements(database.read, srgId)
      try {
        const rules = rulesOf(sheet.records, requirements, body.prefix ?? null)
        const { warnings, ...comparison } = shapePreview(rules, requirements)
        return { ...comparison, warnings: [...sheet.warnings, ...warnings], encoding: sheet.encoding }
      } catch (error) {
        throw withErrorMember(error)
      }
    },
  })
}

const COMPARED_FIELDS: ComparedFields<Requirement> = {
  ...recordOf(
    ['title', 'status', 'rule_severity', 'ident', ...namesOf(SHEET_TEXTS)] as const,
    (name) =>
      ({ row }: Requirement) =>
        row[name] ?? null,
  ),
  check_content: ({ checks }) => joinTexts(checks.map(({ content = null }) => content)),
}

function shapePreview(
  { prefix, rules, missing, warnings }: SheetRules,
  requirements: ReadonlyMap<string, Requirement>,
): Omit<z.infer<typeof preview>, 'encoding'> {
  return {
    prefix,
    rules: rules.map((after) => {
      const { number, version = null, title } = after.row
      const before = requirements.get(version ?? '')
      const changes = before === undefined ? [] : changesBetween(COMPARED_FIELDS, { before, after })
      return { displayed_name: displayedName(prefix, number), srg_id: version, title, changes }
    }),
    missing: [...missing].sort(),
    warnings: [...warnings],
  }
}
