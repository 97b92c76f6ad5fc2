import { z } from 'zod'

const text = z.string().nullable()

const identified = z.object({ id: z.string(), name: z.string() })

const referenceSchema = z.object({ name: z.string(), description: text, url: text })

/** The text of a relation, with the sources that it cites. */
const citedText = { text: z.string(), references: z.array(referenceSchema) }

const common = {
  id: z
    .string()
    .min(1)
    .meta({ description: 'T1110.001, TA0006 or M1032; the STIX id where a technique has the same one' }),
  attack_id: z.string(),
  stix_id: z.string(),
  domain: z.string().meta({ description: 'Enterprise, Mobile or ICS' }),
  name: z.string(),
  description: z.string(),
  url: text.meta({ description: 'Its page at MITRE' }),
  references: z.array(referenceSchema),
  object_version: text.meta({ description: 'Of this object, not of ATT&CK' }),
  created: text,
  modified: text,
  revoked: z.boolean(),
  deprecated: z.boolean(),
  successor: identified.nullable().meta({ description: 'What it was revoked by' }),
}

const tacticPlace = z.object({
  id: text.meta({ description: 'Null where the bundle has no such tactic' }),
  name: z.string(),
})

const analyticSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  platforms: z.array(z.string()),
})

export const techniqueSchema = z.object({
  type: z.literal('technique'),
  ...common,
  tactics: z.array(tacticPlace),
  platforms: z.array(z.string()),
  parent: identified.nullable().meta({ description: 'The technique that this is a sub-technique of' }),
  subtechniques: z.array(identified),
  mitigations: z.array(identified.extend(citedText)),
  detection: z.object({
    text: z.string().meta({ description: 'Of releases before detection strategies' }),
    strategies: z.array(identified.extend({ url: text, ...citedText, analytics: z.array(analyticSchema) })),
  }),
  procedure_examples: z.array(
    identified.extend({ kind: z.enum(['group', 'malware', 'tool', 'campaign', 'other']), url: text, ...citedText }),
  ),
})

export const tacticSchema = z.object({
  type: z.literal('tactic'),
  ...common,
  short_name: z.string(),
  techniques: z.array(identified).meta({ description: 'Those in use; sub-techniques are with their technique' }),
})

export const mitigationSchema = z.object({
  type: z.literal('mitigation'),
  ...common,
  techniques: z.array(identified.extend(citedText)),
})

export const attackSchema = z.discriminatedUnion('type', [techniqueSchema, tacticSchema, mitigationSchema])

export type AttackItem = z.infer<typeof attackSchema>
export type Technique = z.infer<typeof techniqueSchema>
export type Tactic = z.infer<typeof tacticSchema>
export type Mitigation = z.infer<typeof mitigationSchema>
