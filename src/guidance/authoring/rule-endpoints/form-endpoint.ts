import { z } from 'zod'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { idParams } from '../../../http/input.ts'
import { FORM_FIELDS } from '../../../tables/field-lists.ts'
import { FORM_ACCESS, FORM_CONDITIONS, type FieldRow } from '../../../tables/field-row.ts'
import { SECTIONS } from '../../../tables/sections.ts'
import { RULE_STATUSES, statusesOf } from '../../../tables/statuses.ts'
import type { BenchmarkKind } from '../../database/schema/benchmarks.ts'
import type { Parts } from '../../parts/parts.ts'
import { componentRole } from '../access/component-access.ts'
import { requireRecord } from '../components/reader.ts'
import { componentRecord } from '../components/schemas.ts'

const section = z.string().nullable()

const formField = z.object({
  name: z.string(),
  label: z.string(),
  kind: z.enum(['text', 'required', 'flag', 'status', 'severity']),
  limit: z.int().meta({ description: 'In characters' }),
  section,
  within: z.enum(['rule', 'description', 'check']),
  asked: z.array(z.string()).meta({ description: 'The statuses that require it' }),
  when: z.enum(FORM_CONDITIONS).nullable().meta({
    description:
      'Shown only if the severity differs from that of the SRG, if there are mitigations, or if there are none',
  }),
  shown: z.record(z.string(), z.enum(FORM_ACCESS)).meta({ description: 'By status' }),
})

const form = z.object({
  document_type: componentRecord.shape.document_type,
  advanced_fields: z.boolean(),
  lock_version: z.int().meta({ description: 'Version of the component' }),
  additional_questions: componentRecord.shape.additional_questions,
  statuses: z.array(z.enum(RULE_STATUSES)),
  sections: z
    .array(z.object({ name: z.string(), key: z.string() }))
    .meta({ description: 'The section that can be locked separately, with its name in comments' }),
  fields: z.array(formField),
})

function shapeField(field: FieldRow, documentType: BenchmarkKind): z.input<typeof formField> {
  const { name, label, kind, limit, section, within, required } = field
  const access = field.form[documentType]
  const statuses = statusesOf(documentType).map((status, index) => [status, access[index] ?? 'hidden'] as const)
  return {
    name,
    label,
    kind,
    limit,
    section,
    within,
    asked: [...(required?.by ?? [])],
    when: field.form.when,
    shown: Object.fromEntries(statuses),
  }
}

/** `GET /api/components/{id}/form`: the fields for writing the rules of a component. */
export function ruleFormEndpoint({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/api/components/{id}/form',
    operation: 'getRuleForm',
    tag: 'Rules',
    summary: 'The fields of the rules of a component, and which of them each status shows',
    access: componentRole(database, 'read'),
    compresses: true,
    input: z.object({ params: idParams }),
    answer: form,
    handle: async ({ grant: { componentId, documentType } }) => {
      const record = await requireRecord(database.read, componentId)
      const { advanced_fields, lock_version, additional_questions } = record
      return {
        document_type: documentType,
        advanced_fields,
        lock_version,
        additional_questions,
        statuses: [...statusesOf(documentType)],
        sections: SECTIONS.map(({ name, key }) => ({ name, key })),
        fields: FORM_FIELDS.map((field) => shapeField(field, documentType)),
      }
    },
  })
}
