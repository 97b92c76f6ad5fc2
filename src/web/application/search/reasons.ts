import { relationName, relationRank } from '../parts/words/relations.ts'
import type { SearchResult } from './query.ts'

/** Names for fields of the API whose own name is unusual. */
const FIELDS: Readonly<Record<string, string>> = {
  vuln_discussion: 'Discussion',
  fixtext: 'Fix',
  label: 'Name',
  finding: 'Finding of code checkers',
}

export interface RelatedTechnique {
  readonly id: string
  readonly label: string
  readonly relation: string
}

/** The techniques of links with their strongest relations, strongest first, without duplicates. */
export function relatedTechniques(links: SearchResult['links']): readonly RelatedTechnique[] {
  const byId = new Map<string, RelatedTechnique>()
  const ordered = links
    .map(({ technique: { id, label }, relation }) => ({ id, label, relation: relationName(relation) }))
    .toSorted((a, b) => relationRank(a.relation) - relationRank(b.relation))
  for (const technique of ordered) if (!byId.has(technique.id)) byId.set(technique.id, technique)
  return [...byId.values()]
}

export function fieldName(field: string): string {
  const name = FIELDS[field] ?? field.replaceAll('_', ' ')
  return name.charAt(0).toUpperCase() + name.slice(1)
}
