import type { RouteLocationRaw } from 'vue-router'
import type { components } from '#api-types'
import { releaseNameOf, rulePath } from '../catalogue/release-paths.ts'
import type { RecordLinks } from '../ontology/record-links.ts'

type RelatedAnswer = components['schemas']['FindRelatedAnswer']

/** Related records of one kind: their number and the first of them. */
export interface RelatedGroup {
  readonly name: string
  /** `22`, or `500+` if not all are counted. */
  readonly total: string
  readonly items: readonly RelatedItem[]
}

interface RelatedItem {
  readonly key: string
  readonly label: string
  readonly to: RouteLocationRaw
}

/** The kinds that have related records. For an attack or a weakness, techniques are countermeasures. */
export function relatedGroups(answer: RelatedAnswer, links: RecordLinks): readonly RelatedGroup[] {
  const { subject, techniques, offensive_techniques: attacks, weaknesses, rules } = answer
  const isThreat = subject.kind === 'offensive-technique' || subject.kind === 'weakness'
  const groups = [
    groupOf(isThreat ? 'Countermeasures' : 'Techniques', techniques, ({ id, label }) =>
      itemOf(id, label, links.technique(id)),
    ),
    groupOf('Rules', rules, ({ iri, title, rule_id: rule, benchmark }) =>
      itemOf(iri, title, rulePath(releaseNameOf(benchmark), rule)),
    ),
    groupOf('Attacks', attacks, ({ id, label }) => itemOf(id, label, links.attack(id))),
    groupOf('Weaknesses', weaknesses, ({ id, label }) => itemOf(id, label, links.weakness(id))),
  ]
  return groups.filter(({ items }) => items.length > 0)
}

interface CountedItems<Item> {
  readonly total: number
  readonly total_is: 'exact' | 'at_least'
  readonly items: readonly Item[]
}

function groupOf<Item>(
  name: string,
  { total, total_is: totalIs, items }: CountedItems<Item>,
  shape: (item: Item) => RelatedItem,
): RelatedGroup {
  return { name, total: `${total.toLocaleString('en')}${totalIs === 'at_least' ? '+' : ''}`, items: items.map(shape) }
}

function itemOf(key: string, label: string | null, to: RouteLocationRaw): RelatedItem {
  return { key, label: label ?? key, to }
}
