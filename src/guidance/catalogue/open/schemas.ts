import { z } from 'zod'
import { DISCUSSION_FIELDS } from '../../../tables/field-lists.ts'
import { SEVERITIES } from '../../../tables/severities.ts'
import { shapeOf } from '../../parts/shape-of.ts'
import { changeCounts, comparedRule } from '../benchmark-diff/rule-name.ts'
import { readWarning, severityCounts } from '../benchmarks/schemas.ts'
import { linkSchema, ontologySchema } from '../linked-data/countermeasures/links.ts'
import { placeSchema } from '../reference-data/schemas.ts'

const text = z.string().nullable()
const day = text.meta({ description: 'YYYY-MM-DD' })
const address = z.string().meta({ description: 'Path on this server' })

/** A release in a list. */
export const releaseSchema = z.object({
  kind: z.enum(['srg', 'stig']),
  benchmark_id: z.string().meta({ example: 'RHEL_9_STIG' }),
  title: z.string(),
  version: z.string().meta({ example: 'V2R7' }),
  date: day,
  rule_count: z.int(),
  severity_counts: severityCounts,
  digest: z.string().meta({ description: 'SHA-256 (hex) of the content, the same on every instance' }),
  address,
})

/** The newest release of each product. */
export const benchmarkListSchema = z.object({
  benchmarks: z.array(
    releaseSchema.extend({
      product: z.string().meta({ description: 'The title without the words for STIG and SRG' }),
      release_count: z.int(),
      releases: address,
    }),
  ),
})

/** Addresses of a release as files. */
export const filesSchema = z.object({
  xccdf: address.meta({ description: 'The file as it was published' }),
  csv: address,
  ckl: address.meta({ description: 'A blank checklist for STIG Viewer 2' }),
  cklb: address.meta({ description: 'A blank checklist for STIG Viewer 3' }),
})

/** All releases of a product, the newest first. */
export const benchmarkSchema = z.object({
  kind: z.enum(['srg', 'stig']),
  benchmark_id: z.string(),
  title: z.string(),
  product: z.string(),
  former_ids: z.array(z.string()).meta({ description: 'Benchmark ids of earlier releases' }),
  releases: z.array(
    releaseSchema.extend({
      files: filesSchema,
      changes: address.nullable().meta({ description: 'Changes since the release before it; null for the first' }),
    }),
  ),
})

const KINDS = { text: () => text, flag: () => z.boolean().nullable() }

/** A rule with all its fields, as in the file. */
export const ruleSchema = z.object({
  rule_id: z.string().meta({ example: 'SV-257777r991589_rule' }),
  group_id: text.meta({ example: 'V-257777' }),
  version: text.meta({ description: 'The STIG id; in an SRG the id of the requirement' }),
  requirement: text.meta({ description: 'The requirement of an SRG that it satisfies or states' }),
  title: z.string(),
  severity: z.enum(SEVERITIES),
  weight: z.string(),
  status: text,
  ...shapeOf(DISCUSSION_FIELDS, KINDS),
  checks: z.array(z.object({ system: text, content_ref_name: text, content_ref_href: text, content: text })),
  fixes: z.array(z.object({ fix_id: text, fixref: text, text })),
  ccis: z.array(z.string()),
  nist_controls: z.array(z.string()).meta({ description: 'NIST SP 800-53 controls of the CCIs' }),
  legacy_ids: z.array(z.string()),
  idents: z.array(z.object({ system: z.string(), value: z.string() })),
  references: z.array(
    z.object({ href: text, title: text, publisher: text, type: text, subject: text, identifier: text }),
  ),
  address,
})

const newest = z.object({ version: z.string(), address })

/** A release with all its rules. */
export const releaseDetailSchema = releaseSchema.extend({
  description: text,
  status: text,
  status_date: day,
  publisher: text,
  source: text,
  newest: newest.meta({ description: 'The newest release of the product' }),
  files: filesSchema,
  warnings: z.array(readWarning).meta({ description: 'What was read differently from the file' }),
  rules: z.array(ruleSchema),
})

/** A release with the names of its rules, in document order: what a list shows, without their texts. */
export const ruleListSchema = releaseSchema.extend({
  newest: newest.meta({ description: 'The newest release of the product' }),
  releases: address.meta({ description: 'All releases of the product' }),
  files: filesSchema,
  rules: z.array(
    ruleSchema.pick({
      rule_id: true,
      group_id: true,
      version: true,
      requirement: true,
      title: true,
      severity: true,
      ccis: true,
      legacy_ids: true,
    }),
  ),
})

const numbers = { id: z.int(), newest: newest.extend({ id: z.int() }) }

/** All releases of a kind by product, oldest first, with their numbers on this instance. */
export const numberedListSchema = z.object({ releases: z.array(releaseSchema.extend(numbers)) })

/** A release with all its rules, and with its numbers on this instance. */
export const numberedReleaseSchema = releaseDetailSchema.extend(numbers)

/** A rule with its release, and with the techniques linked by its CCIs. */
export const ruleDetailSchema = z.object({
  release: releaseSchema.extend({ newest }),
  rule: ruleSchema,
  satisfies: z.array(z.string()).meta({
    description: 'Further requirements that the rule satisfies, as its discussion says',
  }),
  known_requirements: z.array(z.string()).meta({
    description: 'Those of its requirements that the newest release of a benchmark has: they can be looked up',
  }),
  ccis: z
    .array(
      z.object({
        id: z.string(),
        control: text.meta({ description: 'The NIST SP 800-53 control of the CCI, as lists of rules give it' }),
        definition: text.meta({
          description: "Of DISA's CCI list; null where the list is not loaded or lacks the CCI",
        }),
        controls: z.array(placeSchema).meta({ description: 'All controls that the CCI list gives, by revision' }),
      }),
    )
    .meta({ description: 'The CCIs of the rule, in document order' }),
  cci_list: ontologySchema.nullable().meta({ description: 'The CCI list; null where none is loaded' }),
  ontology: ontologySchema.nullable(),
  links: z.array(linkSchema),
})

const ruleName = z
  .object({ rule_id: z.string(), version: text, title: z.string(), severity: z.enum(SEVERITIES), address })
  .nullable()

/** The changes between two releases: the rules of the newer one in their order, then the removed ones. */
export const changesSchema = z.object({
  from: releaseSchema,
  to: releaseSchema,
  counts: changeCounts,
  rules: z.array(comparedRule.extend({ before: ruleName, after: ruleName })),
})
