import { z } from 'zod'
import type { Caller } from '../caller.ts'
import type { Reader } from '../database/database.ts'
import { notFound } from '../input.ts'
import { displayedName } from './names.ts'
import { findRules, requireRule } from './reader.ts'

/** Of authored rules and of published ones, each. */
const MOST = 200

const text = z.string().nullable()
const kind = z.enum(['component', 'stig'])

/** What other documents say on the same SRG requirement. */
export const relatedRules = z.object({
  rules: z.array(
    z.object({
      id: z.int(),
      kind: kind.meta({ description: 'What the rule is part of: numbers of both overlap' }),
      parent_id: z.int(),
      displayed_name: z.string().meta({ description: 'CNTR-00-000012, or the STIG id' }),
      srg_id: text,
      title: z.string(),
      status: text.meta({ description: 'Null for published rules' }),
      rule_severity: z.string(),
      vuln_discussion: text,
      check_content: text,
      fixtext: text,
      vendor_comments: text,
    }),
  ),
  parents: z.array(
    z.object({
      id: z.int(),
      kind,
      name: z.string(),
      version: text.meta({ description: 'V1R2' }),
      project_name: text,
    }),
  ),
  truncated: z.boolean().meta({ description: `Whether there are more than ${MOST} of a kind` }),
})

export type RelatedRules = z.infer<typeof relatedRules>

type RelatedRule = RelatedRules['rules'][number]
type Parent = RelatedRules['parents'][number]

interface Found {
  readonly rules: readonly RelatedRule[]
  readonly parents: readonly Parent[]
}
