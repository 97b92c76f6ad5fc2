import { z } from 'zod'
import type { CitingRule } from '../../contracts/guidance-records.ts'
import type { RelatedAnswer, RelatedPage } from '../../contracts/related.ts'
import { searchKind } from '../../contracts/search-answer.ts'
import { tacticSchema, techniqueSchema } from '../catalogue/linked-data/countermeasures/links.ts'
import { benchmarkHeadSchema, ruleHeadSchema } from '../catalogue/linked-data/countermeasures/rule-heads.ts'
import type { Iris } from '../catalogue/linked-data/graph/iris.ts'

const wayFields = {
  ways: z
    .array(
      z.object({
        path: z.array(z.string()).meta({
          description:
            'Names and relations in turn; ^ before a relation that is read backwards. A rule and its CCI have none between them',
        }),
        sentence: z.string(),
      }),
    )
    .meta({ description: 'The first five' }),
  way_count: z.int(),
}

const totals = {
  total: z.int(),
  total_is: z.enum(['exact', 'at_least']),
}

const technique = techniqueSchema.extend({ tactics: z.array(tacticSchema), ...wayFields })
const attack = z.object({
  iri: z.string(),
  id: z.string(),
  label: z.string(),
  attack_id: z.string().nullable(),
  tactics: z.array(tacticSchema),
  ...wayFields,
})
const weakness = z.object({
  iri: z.string(),
  id: z.string(),
  label: z.string(),
  cwe_id: z.string().nullable(),
  ...wayFields,
})
const head = ruleHeadSchema.omit({ version: true }).extend({
  identifiers: z.array(z.string()),
  benchmark: benchmarkHeadSchema,
})
const rule = head.extend(wayFields)

/** The members of the answer, but for the release of the ontology. */
export const relatedSchemas = {
  subject: z.object({
    kind: searchKind,
    iri: z.string().nullable(),
    id: z.string(),
    label: z.string(),
  }),
  techniques: z.object({ ...totals, items: z.array(technique) }),
  offensive_techniques: z.object({ ...totals, items: z.array(attack) }),
  weaknesses: z.object({ ...totals, items: z.array(weakness) }),
  rules: z.object({ ...totals, items: z.array(rule) }),
  note: z.string().nullable().meta({ description: 'Why no technique is related to it; null if one is' }),
  pagination: z
    .object({ page: z.int(), per_page: z.int(), total: z.int() })
    .meta({ description: 'The same page of every list; the total is that of the longest' }),
}

type RelatedShape = {
  [Member in keyof typeof relatedSchemas]: z.infer<(typeof relatedSchemas)[Member]>
} & Pick<RelatedAnswer, 'ontology'>

export function shapeRelated(
  iris: Iris,
  { subject, ontology, techniques, offensiveTechniques, weaknesses, rules, note }: RelatedAnswer,
  page: { readonly page: number; readonly per_page: number },
): RelatedShape {
  const lists = [techniques, offensiveTechniques, weaknesses, rules]
  return {
    subject,
    ontology,
    techniques: section(techniques, ({ iri, name, id, label, tactics }) => ({
      iri,
      id: name,
      d3fend_id: id,
      label,
      tactics: [...tactics],
    })),
    offensive_techniques: section(offensiveTechniques, ({ iri, name, id, label, tactics }) => ({
      iri,
      id: name,
      attack_id: id,
      label,
      tactics: [...tactics],
    })),
    weaknesses: section(weaknesses, ({ iri, name, id, label }) => ({
      iri,
      id: name,
      cwe_id: id,
      label,
    })),
    rules: section(rules, (rule) => shapeRule(iris, rule)),
    note,
    pagination: { ...page, total: Math.max(...lists.map(({ total }) => total)) },
  }
}

function shapeRule(iris: Iris, rule: CitingRule): z.infer<typeof head> {
  const { recordId, ruleId, title, iri } = rule
  const { id, kind, benchmarkId, version } = rule.benchmark
  return {
    id: recordId,
    rule_id: ruleId,
    title,
    severity: rule.severity ?? 'medium',
    iri,
    identifiers: [...rule.identifiers],
    benchmark: {
      id,
      kind,
      benchmark_id: benchmarkId,
      title: rule.benchmark.title,
      version,
      iri: iris.benchmark(rule.benchmark),
    },
  }
}

type WithPaths<S> = S & { ways: { path: string[]; sentence: string }[]; way_count: number }

function section<T, S>(
  { total, isCut, items }: RelatedPage<T>,
  shapeItem: (item: T) => S,
): { total: number; total_is: 'exact' | 'at_least'; items: WithPaths<S>[] } {
  return {
    total,
    total_is: isCut ? 'at_least' : 'exact',
    items: items.map(({ item, paths, pathCount }) => ({
      ...shapeItem(item),
      ways: paths.map(({ path, sentence }) => ({ path: [...path], sentence })),
      way_count: pathCount,
    })),
  }
}
