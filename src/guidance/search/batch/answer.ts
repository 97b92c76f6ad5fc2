import { z } from 'zod'
import type { GuidanceMatch } from '../../../contracts/guidance-records.ts'
import type { LookupRecord } from '../../../contracts/lookup.ts'
import { namedBenchmark } from '../../../contracts/search-answer.ts'
import { ATTACK_DOMAINS, ONTOLOGY_KINDS } from '../../../contracts/sources.ts'
import { ontologySchema } from '../../catalogue/linked-data/countermeasures/links.ts'
import type { Iris } from '../../catalogue/linked-data/graph/iris.ts'
import { controlNamed } from '../../catalogue/reference-data/controls/control-names.ts'
import type { ItemSummary } from '../../catalogue/reference-data/summary.ts'

const kind = z.enum([...ONTOLOGY_KINDS, 'resource', 'rule', 'requirement'])
const namedRecord = z.object({ id: z.string().nullable(), label: z.string() })

const head = z.object({
  kind,
  iri: z.string(),
  id: z.string().nullable().meta({ description: 'D3-AL, T1110, CWE-79, CCI-000015, AC-2(1), SV-257777r925318_rule' }),
  name: z.string().nullable().meta({ description: 'For a record of the ontology: d3f:AccountLocking' }),
  label: z.string(),
  path: z.string().meta({ description: 'Path of the JSON of the whole record' }),
})

const record = head.extend({
  synonyms: z.array(z.string()),
  text: z.string(),
  tactics: z.array(namedRecord),
  domain: z.enum(ATTACK_DOMAINS).nullable().meta({ description: 'For an attack or an offensive tactic' }),
  deprecated: z.boolean(),
  successors: z
    .array(z.object({ iri: z.string(), id: z.string().nullable(), name: z.string(), label: z.string() }))
    .meta({ description: 'For a deprecated record: the records that the ontology names in its place' }),
  control: z.string().nullable().meta({ description: 'For a CCI: AC-2 (1)' }),
  identifiers: z.array(z.string()).meta({ description: 'For a rule: all its CCIs' }),
  ccis: z.array(z.string()),
  severity: z.string().nullable(),
  status: z.string().nullable(),
  benchmark: namedBenchmark.nullable(),
})

const item = z.object({
  asked: z.string(),
  record: record.nullable(),
  also: z.array(head).meta({ description: 'Other records with this name, at most five' }),
  whole: z.unknown().optional().meta({ description: 'With view=whole: the answer of the path of the record' }),
  whole_in: z
    .enum(['item', 'path'])
    .nullable()
    .optional()
    .meta({
      description:
        'With view=whole: where the whole record is, here or only at its path (rules, requirements, CCIs of the list, ' +
        'and records that are too large); null if no record has the name',
    }),
  problem: z
    .looseObject({ code: z.string(), detail: z.string() })
    .nullable()
    .meta({ description: 'Why there is no record, or not the whole record (RFC 9457)' }),
})

export const batchAnswer = z.object({
  ontology: ontologySchema.nullable(),
  asked: z.int(),
  found: z.int(),
  items: z.array(item).meta({ description: 'In the order of the request' }),
})

export type BatchItem = z.infer<typeof item>
export type BatchHead = z.infer<typeof head>
export type BatchRecord = z.infer<typeof record>

const NO_ONTOLOGY_FIELDS = { domain: null, deprecated: false, successors: [] }
const NO_RULE_FIELDS = { identifiers: [], ccis: [], severity: null, status: null, benchmark: null }

export function shapeOntologyRecord(lookup: LookupRecord, control: string | null): BatchRecord {
  const { synonyms, text, tactics, domain, deprecated, successors } = lookup
  return {
    ...shapeOntologyHead(lookup),
    synonyms: [...synonyms],
    text,
    tactics: tactics.map(({ iri, label }) => ({ id: iri, label })),
    domain,
    deprecated,
    successors: successors.map(({ iri, id, name, label }) => ({ iri, id, name, label })),
    control,
    ...NO_RULE_FIELDS,
  }
}

export function shapeOntologyHead({ kind, iri, id, name, label, path }: LookupRecord): BatchHead {
  return { kind, iri, id, name, label, path }
}

/** A CCI that is in the list but not in the release. */
export function shapeCci(iri: string, id: string, control: string): BatchRecord {
  const head = { kind: 'cci', iri, id, name: null, label: id, path: `/ccis/${id}` } as const
  return { ...head, synonyms: [], text: '', tactics: [], control, ...NO_ONTOLOGY_FIELDS, ...NO_RULE_FIELDS }
}

/** An item of reference data that the ontology does not have. */
export function shapeItem(iris: Iris, item: ItemSummary): BatchRecord {
  const { kind, id, label, path, synonyms, texts, tactics, domain, deprecated, successors } = item
  const iriOf = iriMaker(iris, kind)
  return {
    kind,
    iri: iriOf(id),
    id,
    name: null,
    label,
    path,
    synonyms: [...synonyms],
    text: texts.find(({ field }) => field === 'definition')?.text ?? '',
    tactics: tactics.map((tactic) => ({ id: iris.attack(tactic.id), label: tactic.name })),
    domain,
    deprecated,
    successors: successors.map((successor) => ({
      iri: iriOf(successor.id),
      id: successor.id,
      name: successor.id,
      label: successor.name,
    })),
    control: null,
    ...NO_RULE_FIELDS,
  }
}

function iriMaker(iris: Iris, kind: ItemSummary['kind']): (id: string) => string {
  if (kind === 'cci') return (id) => iris.cci(id)
  if (kind === 'control') return (id) => iris.control(controlNamed(id) ?? id)
  return (id) => (id.startsWith('CWE-') ? iris.weakness(id) : iris.attack(id))
}

export function shapeRule(match: GuidanceMatch): BatchRecord {
  const { names, ccis, severity, status, benchmark } = match
  return {
    ...shapeRuleHead(match),
    synonyms: [],
    text: '',
    tactics: [],
    ...NO_ONTOLOGY_FIELDS,
    control: null,
    identifiers: [...names],
    ccis: [...ccis],
    severity,
    status,
    benchmark: benchmark && {
      id: benchmark.id,
      kind: benchmark.kind,
      benchmark_id: benchmark.benchmarkId,
      title: benchmark.title,
      version: benchmark.version,
    },
  }
}

export function shapeRuleHead({ kind, iri, names, title, path }: GuidanceMatch): BatchHead {
  return {
    kind: kind === 'requirement' ? 'requirement' : 'rule',
    iri: iri ?? '',
    id: names[0] ?? null,
    name: null,
    label: title,
    path,
  }
}
