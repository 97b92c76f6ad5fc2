import { z } from 'zod'
import { readWarning, severityCounts } from '../benchmarks/schemas.ts'
import { referenceKind } from '../reference-data/items.ts'

const member = z
  .string()
  .nullable()
  .meta({ description: 'Path of the file in the zip; null when it was sent by itself' })

const stored = z.object({
  member,
  id: z.int(),
  kind: z.enum(['srg', 'stig']),
  benchmark_id: z.string(),
  version: z.string(),
  title: z.string(),
  rule_count: z.int(),
  severity_counts: severityCounts,
  replaced: z.boolean(),
  warnings: z.array(readWarning),
})

const reference = z.object({
  kind: referenceKind,
  name: z.string().meta({ description: 'CCI list 2016-06-27' }),
  version: z.string(),
  digest: z.string().meta({ description: 'SHA-256 (hex) of the document' }),
  item_count: z.int(),
  outcome: z.enum(['imported', 'already_imported']),
})

const refused = z.object({ member, code: z.string(), title: z.string(), detail: z.string() })

/** The result of an import, member by member. */
export const outcomeSchema = z.object({
  imported: z.array(stored),
  already_imported: z.array(stored),
  refused: z.array(refused),
  skipped: z.array(refused).default([]).meta({
    description: 'Members that are not benchmarks, such as results and checklists',
  }),
  reference_data: z.array(reference).default([]).meta({
    description: 'The CCI list, the controls of NIST SP 800-53, a domain of ATT&CK or CWE, if the file is one',
  }),
})

export type StoredMember = z.infer<typeof stored>
export type StoredReferenceMember = z.infer<typeof reference>
export type RefusedMember = z.infer<typeof refused>
export type Outcome = z.infer<typeof outcomeSchema>

export const EMPTY_OUTCOME: Outcome = {
  imported: [],
  already_imported: [],
  refused: [],
  skipped: [],
  reference_data: [],
}

export type MemberResult =
  | { readonly kind: 'imported' | 'already_imported'; readonly member: StoredMember }
  | { readonly kind: 'refused'; readonly member: RefusedMember }
  | { readonly kind: 'skipped'; readonly member: RefusedMember }
  | { readonly kind: 'reference_data'; readonly member: StoredReferenceMember }
