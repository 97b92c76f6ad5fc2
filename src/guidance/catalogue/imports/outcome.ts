import { z } from 'zod'
import { oddity, severityCounts } from '../benchmarks/schemas.ts'

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
  warnings: z.array(oddity),
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
})

export type StoredMember = z.infer<typeof stored>
export type RefusedMember = z.infer<typeof refused>
export type Outcome = z.infer<typeof outcomeSchema>

export const NOTHING: Outcome = { imported: [], already_imported: [], refused: [], skipped: [] }

/** The result of one member. */
export type MemberResult =
  | { readonly kind: 'imported' | 'already_imported'; readonly member: StoredMember }
  | { readonly kind: 'refused'; readonly member: RefusedMember }
  | { readonly kind: 'skipped'; readonly member: RefusedMember }

export function withMember(outcome: Outcome, { kind, member: result }: MemberResult): Outcome {
  return { ...outcome, [kind]: [...outcome[kind], result] }
}
