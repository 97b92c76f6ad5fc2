import { z } from 'zod'
import { ATTACK_DOMAINS, GUIDANCE_KINDS, ONTOLOGY_KINDS } from './sources.ts'

export const searchKind = z.enum([...ONTOLOGY_KINDS, ...GUIDANCE_KINDS])

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
    highlights: z.array(highlight).readonly().meta({ description: 'In UTF-16 units; end is the place behind' }),
  }),
})

const explanation = z.object({
  score: z
    .number()
    .meta({ description: 'Words and what is added for names, links and the kind; 1000 less for a deprecated record' }),
  words: z.number().meta({ description: '0 to 1, times the factor' }),
  factor: z.number().meta({
    description:
      'Less for older releases; more for a product or severity that the query names, and for a kind by its titles',
  }),
  named: z.number().meta({ description: 'The share of the query that is its name' }),
  linked: z.number().meta({ description: 'How closely it is related to what the query names' }),
  called: z.boolean().meta({ description: 'Whether the query is its label or a synonym' }),
  terms: z.array(
    z.object({
      term: z.string(),
      said: z.array(
        z.object({
          said: z.string(),
          by: z.string(),
          weight: z.number(),
          worth: z.number().meta({ description: 'Frequency, weighed by fields and lengths' }),
          fields: z.array(z.string()),
        }),
      ),
    }),
  ),
})

/** The benchmark of a rule. */
export const namedBenchmark = z.object({
  id: z.int(),
  kind: z.string(),
  benchmark_id: z.string(),
  title: z.string(),
  version: z.string(),
})

const result = z.object({
  kind: searchKind,
  iri: z.string().nullable(),
  id: z.string().nullable().meta({ description: 'SV-257777, D3-AL, T1110, AC-2(1)' }),
  label: z.string(),
  path: z.string().nullable().meta({ description: 'The path of the JSON document that has the record' }),
  matched,
  identifiers: z.array(z.string()).readonly(),
  severity: z.string().nullable(),
  status: z.string().nullable(),
  benchmark: namedBenchmark.extend({ version: z.string().nullable() }).nullable(),
  component: z.object({ id: z.int(), name: z.string(), prefix: z.string().nullable() }).nullable(),
  tactics: z.array(tactic).readonly(),
  domain: z.enum(ATTACK_DOMAINS).nullable().meta({ description: 'Of an attack or an offensive tactic' }),
  deprecated: z.boolean().meta({ description: 'Whether the ontology marks the record so; it comes after all others' }),
  successors: z
    .array(z.object({ iri: z.string(), id: z.string(), label: z.string(), path: z.string().nullable() }))
    .readonly()
    .meta({ description: 'For a deprecated record: the records that the ontology names in its place' }),
  links: z.array(link).readonly().meta({ description: 'Why it is linked to techniques; at most 5' }),
  links_total: z.int(),
  folded: z
    .object({
      count: z.int(),
      records: z
        .array(
          z.object({
            iri: z.string().nullable(),
            id: z.string().nullable(),
            path: z.string().nullable(),
            label: z.string(),
            benchmark: z.string().nullable(),
          }),
        )
        .readonly(),
    })
    .meta({
      description: 'Rules that say the same of other products: how many, and the first ten',
    }),
  explanation: explanation.optional().meta({ description: 'With explain=true' }),
})

const facet = z.array(z.object({ value: z.string(), label: z.string(), count: z.int() })).readonly()

export const unifiedAnswer = z.object({
  query: z.object({
    text: z.string(),
    used: z.string().meta({ description: 'The words of the question that were searched for' }),
    expanded: z
      .array(
        z.object({
          from: z.string(),
          to: z.string(),
          because: z.enum(['synonym', 'abbreviation']),
        }),
      )
      .readonly(),
    unknown: z
      .string()
      .nullable()
      .meta({ description: 'An identifier that no record has; the results are its neighbours' }),
    corrected: z.string().nullable().meta({ description: 'No record has a word of it; this was looked for instead' }),
    operators: z
      .array(
        z.object({
          effect: z.enum(['required', 'excluded']),
          field: z.enum(['title', 'fix', 'check', 'severity']).nullable().meta({ description: 'Null: in any field' }),
          text: z.string(),
          lifted: z.string().meta({ description: 'The question without this operator' }),
        }),
      )
      .readonly()
      .meta({ description: 'The parts of the question that leave records out; a pasted command has none' }),
  }),
  ontology: z.object({ version: z.string(), digest: z.string() }).nullable(),
  answer: result.nullable().meta({
    description: 'The one record that the question names; the first result as well. Null on further pages',
  }),
  results: z.array(result).readonly(),
  groups: z
    .array(
      z.object({
        kind: searchKind,
        total: z.int(),
        results: z.array(result).readonly().meta({ description: 'At most 5' }),
      }),
    )
    .readonly()
    .optional()
    .meta({ description: 'With group=kind, on the first page: the best results of each kind, the best kind first' }),
  facets: z.object({ kind: facet, severity: facet, benchmark: facet, tactic: facet, domain: facet }),
  suggestions: z.array(z.string()).readonly(),
  index: z
    .object({ behind: z.int().meta({ description: 'Changed records and benchmarks that are not searched yet' }) })
    .optional()
    .meta({
      description: 'Only while the index is behind, as after a large write: results may be missing or outdated',
    }),
  pagination: z.object({
    page: z.int(),
    per_page: z.int(),
    total: z.int(),
    total_is: z.enum(['exact', 'at_least']),
    next: z.string().nullable().meta({ description: 'The cursor behind these results; null where they are the last' }),
  }),
})

export const suggestionSchema = z.object({
  text: z.string(),
  kind: z.enum([...searchKind.options, 'benchmark']),
  id: z.string().nullable(),
  iri: z.string().nullable(),
  path: z.string().nullable(),
})

export type SearchAnswer = z.infer<typeof unifiedAnswer>
export type SearchResult = SearchAnswer['results'][number]
export type SearchGroup = NonNullable<SearchAnswer['groups']>[number]
export type Suggestion = z.infer<typeof suggestionSchema>
