import { z } from 'zod'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { idParams } from '../../../http/input.ts'
import { FORM_FIELDS, OCCASIONS, SHOWINGS } from '../../fields/forms.ts'
import { SECTIONS } from '../../fields/sections.ts'
import type { Parts } from '../../parts/parts.ts'
import { componentRole } from '../access/component-access.ts'
import { requireRecord } from '../components/reader.ts'
import { componentRecord } from '../components/schemas.ts'
import { RULE_STATUSES, STATUSES } from '../rules/schemas.ts'

const section = z.string().nullable()

const form = z.object({
  document_type: componentRecord.shape.document_type,
  advanced_fields: z.boolean(),
  lock_version: z.int().meta({ description: 'Version of the component' }),
  additional_questions: componentRecord.shape.additional_questions,
  statuses: z.array(z.enum(RULE_STATUSES)),
  sections: z
    .array(z.object({ name: z.string(), key: z.string() }))
    .meta({ description: 'The section that can be locked separately, with its name in comments' }),
  fields: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      kind: z.enum(['text', 'required', 'flag', 'status', 'severity']),
      limit: z.int().meta({ description: 'In characters' }),
      section,
      within: z.enum(['rule', 'description', 'check']),
      asked: z.array(z.string()).meta({ description: 'The statuses that require it' }),
      when: z.enum(OCCASIONS).nullable().meta({
        description:
          'Shown only if the severity differs from that of the SRG, if there are mitigations, or if there are none',
      }),
      shown: z.record(z.string(), z.enum(SHOWINGS)).meta({ description: 'By status' }),
    }),
  ),
})

/** `GET /api/components/{id}/form`: how the rules of a component are written. */
export function ruleFormEndpoint({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/api/components/{id}/form',
    operation: 'getRuleForm',
    tag: 'Rules',
    summary: 'The fields of the rules of a component, and which of them each status shows',
    access: componentRole(database, 'read'),
    input: z.object({ params: idParams }),
    answer: form,
    handle: async ({ grant: { componentId, documentType } }) => {
      const record = await requireRecord(database.read, componentId)
      const { advanced_fields, lock_version, additional_questions } = record
      const statuses = Object.values(STATUSES[documentType])
      const fields = FORM_FIELDS.map(({ stig, srg, ...field }) => {
        const showings = documentType === 'stig' ? stig : srg
        const shown = statuses.map((status, at) => [status, showings[at] ?? 'hidden'] as const)
        return { ...field, asked: [...field.asked], shown: Object.fromEntries(shown) }
      })
      return {
        document_type: documentType,
        advanced_fields,
        lock_version,
        additional_questions,
        statuses,
        sections: [...SECTIONS],
        fields,
      }
    },
  })
}
