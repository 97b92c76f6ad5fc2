import { z } from 'zod'
import type { RecordKey } from './search-feed.ts'
import {
  ATTACK_DOMAINS,
  GUIDANCE_KINDS,
  ONTOLOGY_KINDS,
  type AttackDomain,
  type CitingRule,
  type GuidanceMatch,
  type GuidanceSearchRequest,
  type Kind,
  type OntologyDocument,
  type OntologyRelease,
  type RecordText,
  type RuleSource,
} from './sources.ts'

/** The search as other services call it. */
export interface Search<Caller> {
  /** Refuses with `page_out_of_range`. */
  unified(asker: Caller, request: SearchRequest): Promise<SearchAnswer>
  /** Completes a text that is being typed. */
  suggest(asker: Caller, text: string, limit: number): Promise<Suggestions>
  /** Records of guidance that say something, as far as they may be read. */
  match(asker: Caller, question: GuidanceSearchRequest): Promise<readonly GuidanceMatch[]>
  /** The kinds and numbers alone that `match` would find, for several questions at once. */
  keys(asker: Caller, questions: readonly GuidanceSearchRequest[]): Promise<readonly (readonly RecordKey[])[]>
  /** Texts of records that were found, by `${kind} ${id}`; the most telling first. */
  texts(keys: readonly RecordKey[]): Promise<ReadonlyMap<string, readonly RecordText[]>>
  /** Likeness of records of the ontology to a text, 0.45 to 1, by IRI; unknown records are left out. */
  likeness(text: string, iris: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Identifiers of the catalogue that are nearest to some that nothing has, best first. */
  nearNames(names: readonly string[]): Promise<readonly (readonly string[])[]>
  /** True while the index is being read: at the start, or because the thread that held it has died. */
  readonly isPreparing: boolean
  /** When the index last had all that was committed, in milliseconds since 1970; null: not yet. */
  readonly upToDateAt: number | null
  /** Gets ready, so that nobody has to wait for it; takes the ontology as it is when `opened` has settled. */
  prepare(opened: Promise<unknown>): Promise<void>
  close(): Promise<void>
}

/** Releases of benchmarks that a question selects. */
export interface BenchmarkChoice {
  /** Record ids or benchmark ids; empty: all. */
  readonly benchmarks: readonly string[]
  /** Only the newest release of each product, or all releases. */
  readonly releases: 'latest' | 'all'
}

/** Benchmarks of the catalogue by their names. */
export interface BenchmarkNames {
  /** The record ids of the selected releases; null: all. Refuses with `parameter_invalid` for an unknown name. */
  choose(choice: BenchmarkChoice): Promise<Pick<SearchRequest, 'benchmarks' | 'releases'>>
  /** The newest releases of benchmarks whose title or id contains a text, best first. */
  complete(text: string): Promise<readonly Suggestion[]>
}

/** A question as HTTP brings it; empty lists allow everything. */
export interface SearchRequest {
  readonly text: string
  readonly kinds: readonly Kind[]
  readonly severities: readonly string[]
  /** Ids, `d3f:Harden` or `Harden`, or labels. */
  readonly tactics: readonly string[]
  readonly domains: readonly AttackDomain[]
  /** Record ids; null where none are named. */
  readonly benchmarks: readonly number[] | null
  /** Record ids of the releases to search; null: the newest of each line. */
  readonly releases: readonly number[] | null
  /** Folds rules that say the same of different products into one result. */
  readonly isFolded: boolean
  readonly isExplained: boolean
  /** Adds the best results of each kind. */
  readonly isGrouped: boolean
  /** From 1; of what comes behind the cursor. */
  readonly page: number
  readonly perPage: number
  /** The cursor of an earlier answer; null: from the first result. */
  readonly cursor: string | null
}

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
    description: 'Less for older releases, more for a product or a severity that the query names',
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
  benchmark: z
    .object({
      id: z.int(),
      kind: z.string(),
      benchmark_id: z.string(),
      title: z.string(),
      version: z.string().nullable(),
    })
    .nullable(),
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

/** Suggestions, the best ones first. */
export interface Suggestions {
  /** Records that have the whole text as identifier, label, synonym or title. */
  readonly named: readonly Suggestion[]
  readonly others: readonly Suggestion[]
}

/** Looks for what is linked to a subject, over the ontology and the catalogue. */
export interface RelatedSearch {
  /** Refuses an unknown subject and a page that there is not. */
  find(rules: RuleSource, request: RelatedRequest): Promise<RelatedAnswer>
}

export interface RelatedRequest {
  /** An IRI, a name or an id. */
  readonly subject: string
  /** Page of every list, from 1. */
  readonly page: number
  readonly perPage: number
}

/** Records that are linked to a subject, with the ways that lead there. */
export interface RelatedAnswer {
  readonly subject: RelatedSubject
  readonly ontology: OntologyRelease
  readonly techniques: RelatedPage<OntologyDocument>
  readonly offensiveTechniques: RelatedPage<OntologyDocument>
  readonly weaknesses: RelatedPage<OntologyDocument>
  readonly rules: RelatedPage<CitingRule>
  /** Why it is related to no technique, as a sentence; null where it is. */
  readonly note: string | null
}

/** The record that the answer is about. */
export interface RelatedSubject {
  readonly kind: Kind
  readonly iri: string | null
  /** Prefixed name; of what the ontology does not have, its id. */
  readonly id: string
  readonly label: string
}

/** A page of a list. */
export interface RelatedPage<T> {
  readonly total: number
  /** True if there may be more than `total`. */
  readonly isCut: boolean
  readonly items: readonly RelatedItem<T>[]
}

export interface RelatedItem<T> {
  readonly item: T
  /** The first ones. */
  readonly ways: readonly RelatedWay[]
  readonly wayCount: number
}

/** A way from one record to another. */
export interface RelatedWay {
  /**
   * Names and relations in turn. A relation that is read backwards begins with `^`; a class leads to one
   * above it by `rdfs:subClassOf+`.
   */
  readonly path: readonly string[]
  readonly sentence: string
}
