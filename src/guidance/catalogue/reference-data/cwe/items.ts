import { z } from 'zod'

const text = z.string().nullable()
const texts = z.array(z.string())
const cweId = z.string().regex(/^CWE-\d{1,6}$/)

/** An entry of CWE: a weakness, or a category or view that has some as members. */
export const cweSchema = z.object({
  type: z.enum(['weakness', 'category', 'view']),
  id: cweId,
  name: z.string().min(1),
  abstraction: text.meta({ description: 'Pillar, Class, Base, Variant or Compound' }),
  status: text,
  deprecated: z.boolean(),
  description: z.string(),
  extended_description: z.string(),
  related: z.array(z.object({ nature: z.string(), id: cweId, view: text, ordinal: text })),
  members: z.array(z.object({ id: cweId, view: text })).meta({ description: 'Of a category or view' }),
  platforms: z.array(z.object({ kind: z.string(), name: text, class: text, prevalence: text })),
  ordinalities: texts,
  background: texts,
  alternate_terms: z.array(z.object({ term: z.string(), description: text })),
  introduction: z.array(z.object({ phase: z.string(), note: text })),
  exploitation_factors: texts,
  likelihood: text,
  consequences: z.array(z.object({ scopes: texts, impacts: texts, likelihood: text, note: text })),
  detection_methods: z.array(z.object({ method: z.string(), description: text, effectiveness: text })),
  mitigations: z.array(z.object({ phases: texts, strategy: text, description: text, effectiveness: text })),
  demonstrative_examples: texts,
  observed_examples: z.array(z.object({ reference: z.string(), description: text, link: text })),
  functional_areas: texts,
  affected_resources: texts,
  taxonomy_mappings: z.array(z.object({ taxonomy: z.string(), entry_id: text, entry_name: text, fit: text })),
  attack_patterns: z.array(z.string().regex(/^CAPEC-\d+$/)),
  notes: z.array(z.object({ type: text, text: z.string() })),
  mapping: z
    .object({
      usage: text,
      rationale: text,
      comments: text,
      suggestions: z.array(z.object({ id: cweId, comment: text })),
    })
    .nullable()
    .meta({ description: 'Whether vulnerabilities may be mapped to it; null where the file does not tell' }),
  successors: z
    .array(z.object({ id: cweId, name: text.meta({ description: 'Null where the file does not have it' }) }))
    .meta({ description: 'The entries that the text of a deprecated one refers to' }),
})

export type CweItem = z.infer<typeof cweSchema>

/** An entry as it was read. The other fields are computed when all entries are known. */
export type CweDraft = Omit<CweItem, 'deprecated' | 'successors'>

/** The parts that an entry may lack. */
export const NO_PARTS = {
  abstraction: null,
  status: null,
  extended_description: '',
  related: [],
  members: [],
  platforms: [],
  ordinalities: [],
  background: [],
  alternate_terms: [],
  introduction: [],
  exploitation_factors: [],
  likelihood: null,
  consequences: [],
  detection_methods: [],
  mitigations: [],
  demonstrative_examples: [],
  observed_examples: [],
  functional_areas: [],
  affected_resources: [],
  taxonomy_mappings: [],
  attack_patterns: [],
  notes: [],
  mapping: null,
} satisfies Partial<CweDraft>
