import type {
  ControlAssertion,
  ControlAssertions,
  NamedTechnique,
} from '../../../../contracts/sources.ts'
import { d3f, rdfs } from '../../../../graph/vocabulary.ts'
import type { Iris } from './iris.ts'
import { QuadWriter } from './quads.ts'
import { CCI_CONTROL, skos } from './terms.ts'

const CCI = /^CCI-\d{6}$/

/**
 * What the links need from an ontology release, as N-Quads in the graph of controls: techniques with label and
 * identifier, what controls state about them, and the control with the name of each CCI.
 */
export function projectControls({ techniques, assertions }: ControlAssertions, iris: Iris): string {
  const out = new QuadWriter(iris.controls)
  for (const technique of techniques)
    if (isIriReference(technique.iri)) projectTechnique(out, technique)
  for (const assertion of assertions) if (isNamed(assertion)) projectAssertion(out, iris, assertion)
  return out.take()
}

/**
 * Whether an IRI can be written between angle brackets (RDF 1.1 N-Quads, §4). The ontology may have been parsed
 * leniently; other IRIs are left out.
 */
function isIriReference(iri: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return /^[^\u0000-\u0020<>"{}|^`\\]+$/.test(iri)
}

function isNamed({ control, relation, technique }: ControlAssertion): boolean {
  return [control, relation, technique].every(isIriReference)
}

function projectTechnique(out: QuadWriter, { iri, label, d3fendId }: NamedTechnique): void {
  out.link(iri, rdfs.subClassOf, d3f.DefensiveTechnique)
  out.text(iri, rdfs.label, label)
  out.text(iri, d3f.d3fendId, d3fendId)
}

function projectAssertion(
  out: QuadWriter,
  iris: Iris,
  { kind, control, label, relation, technique }: ControlAssertion,
): void {
  out.type(control, kind)
  out.text(control, rdfs.label, label)
  out.link(control, relation, technique)
  if (kind === CCI_CONTROL && CCI.test(label)) out.link(iris.cci(label), skos.exactMatch, control)
}
