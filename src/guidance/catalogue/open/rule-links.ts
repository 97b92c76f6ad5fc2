import type { z } from 'zod'
import type { ControlLinks } from '../linked-data/countermeasures/control-links.ts'
import { nistControlsOf, shapeLinks } from '../linked-data/countermeasures/links.ts'
import type { Rule } from '../xccdf/benchmark.ts'
import type { ruleDetailSchema } from './schemas.ts'
import { ccisOf } from './shape.ts'

/** The techniques that a rule's CCIs lead to; `ontology` is null while there is no release. */
export function linkRule(
  rule: Pick<Rule, 'ruleId' | 'idents'>,
  ontology: ControlLinks | null,
): Pick<z.infer<typeof ruleDetailSchema>, 'ontology' | 'links'> {
  if (ontology === null) return { ontology: null, links: [] }
  const paths = ccisOf(rule).flatMap((cci) => ontology.from(cci))
  const nist = nistControlsOf(
    ontology,
    paths.map(({ technique }) => technique.iri),
  )
  const { version, digest } = ontology
  return { ontology: { version, digest }, links: shapeLinks(rule.ruleId, paths, nist) }
}
