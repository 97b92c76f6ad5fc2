/** Relations of a control or a CCI to a technique, the strongest first. */
const RELATIONS = ['exact', 'narrower', 'broader', 'related']

/** Strong relations, for filters of the API: the control requires the technique or a part of it. */
export const STRONG_RELATIONS = 'exactly,narrower'

/** The name of a relation of the API on pages. */
export function relationName(relation: string): string {
  return relation === 'exactly' ? 'exact' : relation
}

/** Whether the API knows the relation. */
export function isRelation(name: string): boolean {
  return name !== 'exact' && RELATIONS.includes(relationName(name))
}

/** 0 for the strongest relation; unknown ones come last. */
export function relationRank(relation: string): number {
  const rank = RELATIONS.indexOf(relationName(relation))
  return rank < 0 ? RELATIONS.length : rank
}
