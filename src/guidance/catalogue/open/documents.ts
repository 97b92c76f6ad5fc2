import type { z } from 'zod'
import { compareCodeUnits } from '../../../graph/term.ts'
import type { ControlLinks } from '../linked-data/countermeasures/control-links.ts'
import type { Rule } from '../xccdf/benchmark.ts'
import type { Product, ReleaseOfProduct } from './find.ts'
import { linkRule } from './rule-links.ts'
import type { benchmarkListSchema, ruleDetailSchema } from './schemas.ts'
import { shapeListed, shapeNewest, shapeRelease, shapeRule } from './shape.ts'

/** Products with their newest releases. */
export function shapeList(products: readonly Product[], sort: 'title' | 'date'): z.infer<typeof benchmarkListSchema> {
  const sorted = products.toSorted(sort === 'date' ? byDate : byTitle)
  return { benchmarks: sorted.map(({ newest, releases }) => shapeListed(newest, releases)) }
}

function byTitle({ newest: a }: Product, { newest: b }: Product): number {
  return compareCodeUnits(a.title, b.title) || compareCodeUnits(a.benchmarkId, b.benchmarkId)
}

/** A release without a date comes last. */
function byDate(a: Product, b: Product): number {
  return compareCodeUnits(b.newest.releaseDate ?? '', a.newest.releaseDate ?? '') || byTitle(a, b)
}

/** A rule with its release and its links; `ontology` is null while there is no release of it. */
export function shapeRuleDetail(
  { release, newest }: Pick<ReleaseOfProduct, 'release' | 'newest'>,
  rule: Rule,
  ontology: ControlLinks | null,
): z.infer<typeof ruleDetailSchema> {
  return {
    release: { ...shapeRelease(release), newest: shapeNewest(newest) },
    rule: shapeRule(release, rule),
    ...linkRule(rule, ontology),
  }
}
