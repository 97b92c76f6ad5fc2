import { z } from 'zod'
import { everyone } from '../../../http/access.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { Pauses } from '../../../platform/concurrency/turns.ts'
import { recordOf } from '../../../platform/records.ts'
import { SEVERITIES } from '../../../tables/severities.ts'
import { RULE_STATUSES, STATUSES } from '../../../tables/statuses.ts'
import { adviseInSteps } from '../../../wording/advise.ts'
import { quoteFrom } from '../../../wording/finding.ts'
import { MAX_READ_LENGTH, WRITTEN_TEXTS, type WrittenRule } from '../../../wording/rule.ts'
import { finding, shapeFinding } from './answers.ts'
import { textIn } from './findings.ts'

const optionalText = z.string().max(MAX_READ_LENGTH).optional()

const draft = z.object({
  document_type: z.enum(['stig', 'srg']).default('stig'),
  status: z.enum(RULE_STATUSES).optional().meta({ description: 'By default, the status that needs all texts' }),
  severity: z.enum(SEVERITIES).default('medium'),
  title: optionalText,
  check_content: optionalText,
  ...recordOf(WRITTEN_TEXTS, () => optionalText),
})

const draftAdvice = z.object({ status: z.string(), findings: z.array(finding) })

/** `POST /api/advice`: finds problems in the texts of a rule that is not stored. */
export function draftEndpoint(): Endpoint {
  return endpoint({
    method: 'post',
    path: '/api/advice',
    operation: 'adviseOnDraft',
    tag: 'Advice',
    summary: "Findings in the texts of a draft, by DISA's process guide; nothing is stored",
    access: everyone,
    keepsNoText: true,
    input: z.object({ body: draft }),
    answer: draftAdvice,
    refusals: ['validation_failed'],
    handle: async ({ input: { body } }) => {
      const { document_type, severity, title = '', check_content = '', ...rest } = body
      const written: WrittenRule = {
        documentType: document_type,
        status: rest.status ?? STATUS_WITH_TEXTS[document_type],
        isSatisfied: false,
        severity,
        title,
        checks: [{ id: null, content: check_content }],
        texts: recordOf(WRITTEN_TEXTS, (name) => rest[name] ?? null),
        requirement: null,
      }
      return { status: written.status, findings: await findingsOf(written) }
    },
  })
}

const STATUS_WITH_TEXTS = {
  stig: STATUSES.stig.applicable_configurable,
  srg: STATUSES.srg.applicable,
}

async function findingsOf(written: WrittenRule): Promise<z.input<typeof draftAdvice>['findings']> {
  const pauses = new Pauses()
  const steps = adviseInSteps(written)
  let step = steps.next()
  for (; step.done !== true; step = steps.next()) await pauses.rest()
  return step.value.map((finding) =>
    shapeFinding({ ...finding, quote: quoteFrom(textIn(finding, written, ''), finding) }),
  )
}
