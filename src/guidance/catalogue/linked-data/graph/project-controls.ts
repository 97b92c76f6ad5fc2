import type {
  ControlAssertion,
  ControlAssertions,
  NamedTechnique,
  OntologyRelease,
} from '../../../../contracts/sources.ts'
import { D3F, d3f, rdfs } from '../../../../graph/vocabulary.ts'
import { Refusal } from '../../../../platform/errors.ts'
import type { Iris } from './iris.ts'
import { QuadWriter } from './quads.ts'
import { CCI_CONTROL, skos } from './terms.ts'

/** The class of controls of NIST SP 800-53. */
export const NIST_CONTROL = `${D3F}NISTControl`
const CCI = /^CCI-\d{6}$/
const RETRY_SECONDS = 5

/**
 * Writes the part of an ontology release that the links need, as N-Quads in the graph of controls: techniques with
 * label and identifier, the statements of controls about techniques, and the control that matches each CCI.
 */
export function projectControls({ techniques, assertions }: ControlAssertions, iris: Iris): string {
  const out = new QuadWriter(iris.controls)
  for (const technique of namedTechniques(techniques)) projectTechnique(out, technique)
  for (const assertion of assertions) if (isNamed(assertion)) projectAssertion(out, iris, assertion)
  return out.take()
}

/** Returns the techniques that can be written as N-Quads; empty names become null. */
export function namedTechniques(techniques: ControlAssertions['techniques']): readonly NamedTechnique[] {
  const withoutEmpty = (name: string | null): string | null => (name === '' ? null : name)
  return techniques
    .filter(({ iri }) => isIriReference(iri))
    .map((technique) => ({
      ...technique,
      label: withoutEmpty(technique.label),
      d3fendId: withoutEmpty(technique.d3fendId),
    }))
}

/** Returns the CCI that a control stands for, by its name; null for other controls. */
export function matchedCci({ kind, label }: ControlAssertion): string | null {
  return kind === CCI_CONTROL && CCI.test(label) ? label : null
}

/**
 * Whether an IRI can be written between angle brackets (RDF 1.1 N-Quads, §4). The ontology may have been parsed
 * leniently; other IRIs are left out.
 */
export function isIriReference(iri: string): boolean {
  // oxlint-disable-next-line no-control-regex -- the expression looks for control characters
  return /^[^\u0000-\u0020<>"{}|^`\\]+$/.test(iri)
}

export function isSameRelease(a: OntologyRelease | null, b: OntologyRelease | null): boolean {
  return a?.digest === b?.digest && a?.version === b?.version
}

/** The refusal of a request whose answer needs links that could not be read. */
export function controlsUnavailable(): Refusal {
  const detail = 'The controls of the ontology could not be read. Try again.'
  return new Refusal('release_unusable', detail, { retry_after: RETRY_SECONDS })
}

/** Whether a statement can be written as N-Quads. */
export function isNamed({ control, relation, technique }: ControlAssertion): boolean {
  return [control, relation, technique].every(isIriReference)
}

function projectTechnique(out: QuadWriter, { iri, label, d3fendId }: NamedTechnique): void {
  out.link(iri, rdfs.subClassOf, d3f.DefensiveTechnique)
  out.text(iri, rdfs.label, label)
  out.text(iri, d3f.d3fendId, d3fendId)
}

function projectAssertion(out: QuadWriter, iris: Iris, assertion: ControlAssertion): void {
  const { kind, control, label, relation, technique } = assertion
  const cci = matchedCci(assertion)
  out.type(control, kind)
  out.text(control, rdfs.label, label)
  out.link(control, relation, technique)
  if (cci !== null) out.link(iris.cci(cci), skos.exactMatch, control)
}
