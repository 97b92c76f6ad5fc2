import { z } from 'zod'
import { CHECK_FIELDS } from '../../../tables/check-fields.ts'
import { ADDED_FIELDS, DISCUSSION_FIELDS } from '../../../tables/field-lists.ts'
import { SEVERITIES } from '../../../tables/severities.ts'
import { shapeOf } from '../../parts/shape-of.ts'

export const severityCounts = z.object({ high: z.int(), medium: z.int(), low: z.int() })

const releaseFields = {
  id: z.int(),
  name: z.string(),
  title: z.string(),
  version: z.string(),
  severity_counts: severityCounts,
  is_latest: z.boolean().meta({ description: 'Whether it is the newest stored release of the product' }),
  latest_available_version: z.string(),
  latest_available_id: z.int(),
}

const day = z.string().nullable().meta({ description: 'YYYY-MM-DD' })

/** A row of `GET /srgs`. */
export const srgRow = z.object({
  ...releaseFields,
  srg_id: z.string(),
  release_date: day,
  core: z.boolean(),
})

/** A row of `GET /stigs`. */
export const stigRow = z.object({ ...releaseFields, stig_id: z.string(), benchmark_date: day })

const latest = { id: z.int(), title: z.string(), version: z.string(), name: z.string() }
export const srgLatest = z.object({ ...latest, srg_id: z.string() })
export const stigLatest = z.object({ ...latest, stig_id: z.string() })

/** Benchmark stats; only SRGs have the usage. */
export const stigStats = z.object({ rule_count: z.int(), severity_counts: severityCounts })
export const srgStats = stigStats.extend({
  usage: z.object({
    count: z.int(),
    components: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        project_id: z.int(),
        project_name: z.string(),
      }),
    ),
  }),
})

const text = z.string().nullable()

/** Vulcan marks nested attributes in this way; `_destroy` is always false in answers. */
const nested = { id: z.int(), _destroy: z.literal(false) }

const KINDS = { text: () => text, flag: () => z.boolean().nullable() }

const description = z.object({
  ...nested,
  ...shapeOf(DISCUSSION_FIELDS, KINDS),
  ...shapeOf(ADDED_FIELDS, KINDS),
})

const check = z.object({ ...nested, ...shapeOf(CHECK_FIELDS, KINDS) })

const rule = {
  id: z.int(),
  rule_id: z.string(),
  title: z.string(),
  version: text,
  rule_severity: z.enum(SEVERITIES),
  rule_weight: z.string(),
  status: text,
  ident: text.meta({ description: 'Identifiers but for legacy ids, sorted, joined with ", "' }),
  ident_system: text,
  legacy_ids: text.meta({ description: 'Ids of earlier releases, joined with ", "' }),
  nist_control_family: text.meta({ description: 'NIST SP 800-53 controls of the CCIs' }),
  vuln_id: text,
  fixtext: text,
  fixtext_fixref: text,
  fix_id: text,
  idents: z.array(z.object({ system: z.string(), value: z.string() })),
  references: z.array(
    z.object({
      href: text,
      title: text,
      publisher: text,
      type: text,
      subject: text,
      identifier: text,
    }),
  ),
  disa_rule_descriptions_attributes: z.array(description),
  checks_attributes: z.array(check),
}

/** A rule of an SRG: a requirement, whose `version` is the requirement's id. */
export const srgRule = z.object(rule)

/** A rule of a STIG; `srg_id` is the requirement that it satisfies. */
export const stigRule = z.object({ ...rule, srg_id: text, vendor_comments: text })

export const readWarning = z.object({ code: z.string(), where: z.string(), message: z.string() })

export const srgDetail = srgRow.extend({
  warnings: z.array(readWarning).meta({ description: 'What was read differently from the file' }),
  srg_rules: z.array(srgRule),
})
export const stigDetail = stigRow.extend({
  description: text,
  warnings: z.array(readWarning).meta({ description: 'What was read differently from the file' }),
  stig_rules: z.array(stigRule),
})
