/** Relations of a control or a CCI to a technique, the strongest first. */
const RELATIONS = ['exact', 'narrower', 'broader', 'related']

/** For filters of the API: a control that asks for the technique itself, or for a part of it. */
export const STRONG_RELATIONS = 'exactly,narrower'

/** The word for a relation as the API names it. */
export function relationName(relation: string): string {
  return relation === 'exactly' ? 'exact' : relation
}

/** Whether the API knows the relation. */
export function isRelation(name: string): boolean {
  return name !== 'exact' && RELATIONS.includes(relationName(name))
}

/** From 0 for the strongest; one that is not known comes last. */
export function relationRank(relation: string): number {
  const at = RELATIONS.indexOf(relationName(relation))
  return at < 0 ? RELATIONS.length : at
}
