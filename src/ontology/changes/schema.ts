import { z } from 'zod'
import { KINDS } from './records.ts'

const release = z.object({
  version: z.string(),
  release_date: z.string(),
  sha256: z.string().meta({ description: 'SHA-256 of the canonical N-Quads' }),
})

const likeness = z.number().min(0).max(1)

const successor = z.object({
  name: z.string(),
  iri: z.string(),
  id: z.string().nullable(),
  label: z.string().nullable(),
  confidence: likeness,
  likeness: z.object({ mappings: likeness, label: likeness, definition: likeness }),
  stated: z.boolean().meta({ description: 'Whether the later release states it' }),
})

const texts = z.array(z.string()).readonly()

const change = z.object({
  change: z.enum(['added', 'removed', 're-identified', 'renamed', 'deprecated', 'changed']),
  kind: z.enum(KINDS),
  name: z.string(),
  iri: z.string(),
  id: z.string().nullable(),
  label: z.string().nullable(),
  deprecated: z.literal(true).optional().meta({ description: 'Where the later release marks the record so' }),
  still_stated: z
    .boolean()
    .optional()
    .meta({ description: 'For a removed record: whether the later release still has statements about it' }),
  same_by: z
    .enum(['iri', 'identifier', 'label'])
    .optional()
    .meta({ description: 'For a record with a new identifier or IRI: how it was recognised' }),
  property: z
    .string()
    .optional()
    .meta({ description: 'The property that changed; `kind` stands for the kind of record' }),
  old: texts.optional().meta({ description: 'Removed values; for a renamed record, all its labels' }),
  new: texts.optional().meta({ description: 'Added values' }),
  successors: z.array(successor).readonly().optional(),
})

const statement = z.object({ subject: z.string(), relation: z.string(), object: z.string() })

const counts = z.object({
  kind: z.enum(KINDS),
  added: z.int(),
  removed: z.int(),
  reidentified: z.int(),
  renamed: z.int(),
  deprecated: z.int(),
  changed: z.int().meta({ description: 'Records, not properties' }),
})

export const changesSchema = z.object({
  from: release,
  to: release,
  measure: z.string().meta({ description: 'How the confidence in successors is computed' }),
  counts: z.object({
    records: z.array(counts).readonly(),
    statements: z.object({ added: z.int(), removed: z.int() }),
  }),
  changes: z.array(change).readonly(),
  statements: z
    .object({ added: z.array(statement).readonly(), removed: z.array(statement).readonly() })
    .meta({ description: 'Between records, by relations' }),
})

/** The comparison of two releases. */
export type Changes = z.output<typeof changesSchema>
export type Change = Changes['changes'][number]
export type ChangedStatement = z.output<typeof statement>
