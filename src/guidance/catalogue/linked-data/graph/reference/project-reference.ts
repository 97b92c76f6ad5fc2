import { rdfs } from '../../../../../graph/vocabulary.ts'
import type { ReferenceKind } from '../../../../../tables/reference-kinds.ts'
import { attackSchema, type AttackItem, type Technique } from '../../../reference-data/attack/items.ts'
import { controlsOf } from '../../../reference-data/controls/control-names.ts'
import { cweSchema, type CweItem } from '../../../reference-data/cwe/items.ts'
import { cciSchema, controlSchema, type Cci, type Control, type Line } from '../../../reference-data/items.ts'
import type { ReferenceSource } from '../../../reference-data/reader.ts'
import type { Iris } from '../iris.ts'
import { isIriReference } from '../project-controls.ts'
import type { QuadWriter } from '../quads.ts'
import { datatypes, dcterms, schema, skos } from '../terms.ts'

/** Receives statements: a {@link QuadWriter} or a list. */
export type StatementWriter = Pick<QuadWriter, 'link' | 'text' | 'type'>

const DAY = /^\d{4}-\d\d-\d\d$/

/**
 * Writes the statements about a version of a list, a SKOS concept scheme. `previous` is the version that it replaces.
 */
export function projectSource(
  out: QuadWriter,
  iris: Iris,
  { source, previous }: { readonly source: ReferenceSource; readonly previous: ReferenceSource | null },
): void {
  const iri = iris.reference(source)
  out.type(iri, skos.ConceptScheme)
  out.text(iri, dcterms.title, source.title)
  out.text(iri, schema.version, source.version)
  out.text(iri, dcterms.identifier, `sha256:${source.digest}`)
  if (source.published !== null && DAY.test(source.published))
    out.typed(iri, dcterms.issued, { lexical: source.published, datatype: datatypes.date })
  if (previous !== null) out.link(iri, dcterms.replaces, iris.reference(previous))
}

/** Writes the statements about one item of a list, a SKOS concept. */
export function projectItem(out: StatementWriter, iris: Iris, source: ReferenceSource, document: unknown): void {
  const scheme = iris.reference(source)
  const iri = PROJECTORS[source.kind](out, iris, document)
  out.type(iri, skos.Concept)
  out.link(iri, skos.inScheme, scheme)
}

/** The functions write the statements about an item and return its IRI. */
const PROJECTORS: Readonly<Record<ReferenceKind, (out: StatementWriter, iris: Iris, document: unknown) => string>> = {
  cci_list: (out, iris, document) => projectCci(out, iris, cciSchema.parse(document)),
  sp800_53: (out, iris, document) => projectControl(out, iris, controlSchema.parse(document)),
  attack: (out, iris, document) => projectAttack(out, iris, attackSchema.parse(document)),
  cwe: (out, iris, document) => projectWeakness(out, iris, cweSchema.parse(document)),
}

function projectCci(out: StatementWriter, iris: Iris, cci: Cci): string {
  const iri = iris.cci(cci.id)
  out.type(iri, `${iris.namespace}ControlCorrelationIdentifier`)
  out.text(iri, skos.notation, cci.id)
  out.text(iri, skos.definition, cci.definition)
  out.text(iri, `${iris.namespace}status`, cci.status)
  for (const note of cci.notes) out.text(iri, skos.note, note)
  const controls = new Set(controlsOf(cci.references).map(({ control }) => control))
  for (const control of controls) out.link(iri, skos.broadMatch, iris.control(control))
  return iri
}

function projectControl(out: StatementWriter, iris: Iris, control: Control): string {
  const iri = iris.control(control.id)
  out.text(iri, skos.notation, control.id)
  out.text(iri, dcterms.identifier, control.oscal_id)
  out.text(iri, skos.prefLabel, control.title)
  out.text(iri, skos.definition, textOf(control.statement))
  out.text(iri, skos.scopeNote, textOf(control.guidance))
  if (control.withdrawn) out.text(iri, `${iris.namespace}status`, 'withdrawn')
  if (control.enhances !== null) out.link(iri, skos.broader, iris.control(control.enhances))
  return iri
}

function textOf(lines: readonly Line[]): string {
  return lines.map(({ label, text }) => (label === null ? text : `${label} ${text}`)).join('\n')
}

function projectAttack(out: StatementWriter, iris: Iris, item: AttackItem): string {
  const iri = iris.attack(item.id)
  out.text(iri, skos.notation, item.attack_id)
  out.text(iri, dcterms.identifier, item.stix_id)
  out.text(iri, skos.prefLabel, item.name)
  out.text(iri, skos.definition, item.description)
  if (item.url !== null && isIriReference(item.url)) out.link(iri, rdfs.seeAlso, item.url)
  if (item.revoked || item.deprecated) out.text(iri, `${iris.namespace}status`, item.revoked ? 'revoked' : 'deprecated')
  if (item.successor !== null) out.link(iri, dcterms.isReplacedBy, iris.attack(item.successor.id))
  if (item.type === 'mitigation') for (const { id } of item.techniques) out.link(iri, skos.related, iris.attack(id))
  if (item.type === 'technique') linkTechnique(out, iris, item)
  return iri
}

/** Links a technique to its parent technique and its tactics. */
function linkTechnique(out: StatementWriter, iris: Iris, { id, parent, tactics }: Technique): void {
  const iri = iris.attack(id)
  if (parent !== null) out.link(iri, skos.broader, iris.attack(parent.id))
  for (const tactic of tactics) if (tactic.id !== null) out.link(iri, dcterms.isPartOf, iris.attack(tactic.id))
}

function projectWeakness(out: StatementWriter, iris: Iris, item: CweItem): string {
  const iri = iris.weakness(item.id)
  out.text(iri, skos.notation, item.id)
  out.text(iri, skos.prefLabel, item.name)
  out.text(iri, skos.definition, item.description)
  out.text(iri, skos.note, item.extended_description)
  out.text(iri, `${iris.namespace}status`, item.status)
  for (const { term } of item.alternate_terms) out.text(iri, skos.altLabel, term)
  for (const { nature, id } of item.related)
    out.link(iri, nature === 'ChildOf' ? skos.broader : skos.related, iris.weakness(id))
  for (const { id } of item.members) out.link(iris.weakness(id), dcterms.isPartOf, iri)
  for (const { id } of item.successors) out.link(iri, dcterms.isReplacedBy, iris.weakness(id))
  return iri
}
