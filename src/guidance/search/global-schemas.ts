import { z } from 'zod'
import { idValue } from '../../http/input.ts'

const text = z.string().nullable()
const record = z.object({ id: idValue })

const catalogueRule = record.extend({
  rule_id: z.string().meta({ description: 'SV-…_rule' }),
  title: z.string(),
  fixtext: text,
  ident: text.meta({ description: 'CCI-000015, CCI-000366' }),
})

/** The groups of docs/contract.md, Global search. All groups are always present. */
export const globalSearchResult = z.object({
  projects: z.array(record.extend({ name: z.string(), description: text, components_count: z.int() })),
  components: z.array(
    record.extend({
      name: z.string(),
      version: z.int().nullable(),
      release: z.int().nullable(),
      project_id: idValue,
      project_name: text,
      metadata: z.record(z.string(), z.string()).nullable(),
    }),
  ),
  rules: z.array(
    record.extend({
      rule_id: z.string().meta({ description: '000012' }),
      title: text,
      status: text,
      component_id: idValue,
      component_prefix: text,
      snippet: text,
      matched_field: text,
      comment_count: z.int(),
      parent_rule_id: idValue.nullable(),
      parent_display_name: text.meta({ description: 'CNTR-00-000012' }),
    }),
  ),
  srgs: z.array(record.extend({ srg_id: z.string(), name: text, title: z.string(), version: z.string() })),
  stigs: z.array(
    record.extend({
      stig_id: text,
      name: z.string(),
      title: text,
      version: z.string(),
      description: text,
    }),
  ),
  stig_rules: z.array(
    catalogueRule.extend({
      vuln_id: text.meta({ description: 'V-…' }),
      stig_id: idValue.meta({ description: 'Number of the record' }),
      stig_name: z.string(),
    }),
  ),
  srg_rules: z.array(
    catalogueRule.extend({
      srg_id: idValue.meta({ description: 'Number of the record' }),
      srg_name: z.string(),
    }),
  ),
})

export type GlobalSearchResult = z.infer<typeof globalSearchResult>

export const EMPTY_RESULT: GlobalSearchResult = {
  projects: [],
  components: [],
  rules: [],
  srgs: [],
  stigs: [],
  stig_rules: [],
  srg_rules: [],
}
