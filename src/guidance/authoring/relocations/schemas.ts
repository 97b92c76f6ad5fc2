import { z } from 'zod'
import { idValue, requiredText } from '../../../http/input.ts'
import { RULE_STATUSES } from '../../../tables/statuses.ts'

/** The limit of comments. */
const MAX_RATIONALE = 10_000

export const proposing = z.object({
  requirement_relocation: z.object({
    target_technology_token: requiredText('Destination SRG abbreviation', { max: 10 })
      .transform((token) => token.toUpperCase())
      .meta({
        description: 'The leading letters of the prefix of the SRG, as in the list of destinations',
      }),
  }),
})

export const deciding = z.object({ target_component_id: idValue })

export const declining = deciding.extend({
  requirement_relocation: z.object({
    adjudication_rationale: requiredText('Rationale', { max: MAX_RATIONALE }),
  }),
})

/** A proposal in the list. */
export const relocation = z.object({
  id: z.int(),
  source_rule_id: z.int(),
  target_technology_token: z.string(),
  created_at: z.string(),
  declined_at: z.string().nullable().meta({ description: 'Null while the proposal is open' }),
  adjudication_rationale: z.string().nullable(),
  source_displayed_name: z.string(),
  component_id: z.int().meta({ description: 'The component that has the requirement' }),
  component_name: z.string(),
  requested_by_name: z.string(),
  declined_by_name: z.string().nullable(),
})

export type Relocation = z.infer<typeof relocation>

export const destination = z.object({
  token: z.string(),
  name: z.string(),
  released: z.boolean().meta({
    description: 'Whether all components with this token are released; a requirement then goes to the next release',
  }),
})

export type Destination = z.infer<typeof destination>

export const preview = z.object({
  valid: z.boolean(),
  errors: z.array(z.string()),
  source_displayed_name: z.string(),
  target_component_id: z.int(),
  target_component_name: z.string(),
  would_create: z.object({
    title: z.string(),
    status: z.enum(RULE_STATUSES),
    rule_id: z.string(),
    derived_from_srg_rule_id: z.int().nullable(),
  }),
  would_tombstone_source: z.boolean(),
})

export type Preview = z.infer<typeof preview>
