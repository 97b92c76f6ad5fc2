import { z } from 'zod'

export const searchKind = z.enum([
  ...(['technique', 'tactic', 'artifact', 'offensive-technique', 'weakness'] as const),
  ...(['cci', 'control', 'requirement', 'rule', 'authored-rule', 'component'] as const),
])

export type SearchKind = z.infer<typeof searchKind>

const tactic = z.object({ id: z.string(), label: z.string() })

const link = z.object({
  technique: z.object({
    iri: z.string(),
    id: z.string().meta({ description: 'Prefixed name, such as d3f:AccountLocking' }),
    d3fend_id: z.string().nullable(),
    label: z.string(),
    tactics: z.array(tactic).readonly(),
  }),
  path: z
    .array(z.string())
    .readonly()
    .meta({ description: 'Rule, CCI, perhaps its NIST control, relation, technique' }),
  relation: z.string(),
  sentence: z.string().meta({
    description: 'SV-257777 → CCI-000366 → narrower → Application Configuration Hardening (Harden)',
  }),
})

const highlight = z.object({ start: z.int(), end: z.int() })

const matched = z.object({
  by: z.enum(['identifier', 'title', 'synonym', 'text']),
  field: z.string().meta({ description: 'Where the snippet is from' }),
  snippet: z.object({
    text: z.string(),
    highlights: z
      .array(highlight)
      .readonly()
      .meta({ description: 'In UTF-16 units; end is the place behind' }),
  }),
})

const result = z.object({
  kind: searchKind,
  iri: z.string().nullable(),
  id: z.string().nullable().meta({ description: 'SV-257777, D3-AL, T1110, AC-2(1)' }),
  label: z.string(),
  path: z.string().nullable().meta({ description: 'Of the JSON that has the record' }),
  matched,
  identifiers: z.array(z.string()).readonly(),
  severity: z.string().nullable(),
  status: z.string().nullable(),
  benchmark: z
    .object({
      ...{ id: z.int(), kind: z.string(), benchmark_id: z.string() },
      ...{ title: z.string(), version: z.string().nullable() },
    })
    .nullable(),
  component: z.object({ id: z.int(), name: z.string(), prefix: z.string().nullable() }).nullable(),
  tactics: z.array(tactic).readonly(),
  links: z.array(link).readonly().meta({ description: 'Why it bears on techniques; at most 5' }),
  links_total: z.int(),
})

const facet = z.array(z.object({ value: z.string(), label: z.string(), count: z.int() })).readonly()

export const unifiedAnswer = z.object({
  query: z.object({
    text: z.string(),
    used: z.string().meta({ description: 'What of the text was looked for' }),
    expanded: z
      .array(
        z.object({
          ...{ from: z.string(), to: z.string() },
          because: z.enum(['synonym', 'abbreviation']),
        }),
      )
      .readonly(),
    corrected: z
      .string()
      .nullable()
      .meta({ description: 'Nothing was found as it was typed; this was looked for instead' }),
  }),
  ontology: z.object({ version: z.string(), digest: z.string() }).nullable(),
  results: z.array(result).readonly(),
  facets: z.object({ kind: facet, severity: facet, benchmark: facet, tactic: facet }),
  suggestions: z.array(z.string()).readonly(),
  pagination: z.object({
    ...{ page: z.int(), per_page: z.int(), total: z.int() },
    total_is: z
      .enum(['exact', 'at_least'])
      .meta({ description: 'No more records than these were looked at' }),
  }),
})

export const suggestionSchema = z.object({
  text: z.string(),
  kind: z.enum([...searchKind.options, 'benchmark']),
  id: z.string().nullable(),
  iri: z.string().nullable(),
  path: z.string().nullable(),
})
