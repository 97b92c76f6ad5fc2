import {
  ATTACK_DOMAINS,
  type ControlAssertion,
  type ControlLink,
  type OntologyContent,
  type OntologyDocument,
  type OntologyKind,
} from '../../contracts/sources.ts'
import { readQuery } from '../../graph/query.ts'
import { compareCodeUnits, type Term } from '../../graph/term.ts'
import { d3f, skos } from '../../graph/vocabulary.ts'
import { append } from '../../platform/append.ts'
import { plainText } from '../../platform/plain-text.ts'
import { findControls } from '../controls/controls.ts'
import { domainsIn } from '../release/domains.ts'
import { artifacts, attacks, type Release } from '../release/release.ts'
import { inDisplayOrder } from '../views/matrix/matrix.ts'
import { enabledTactics } from '../views/tactic/enabled.ts'
import { tacticsOf } from '../views/tactic/tactic.ts'
import { publishedTechniques } from '../views/technique/subtechniques.ts'
import { relationName } from './naming.ts'

const DEPRECATED = readQuery(new URL('./deprecated.rq', import.meta.url), ['subject'], ['successor'])

const CONTROLS = readQuery(new URL('./controls.rq', import.meta.url), ['kind', 'control'])
const TEXTS = readQuery(new URL('./texts.rq', import.meta.url), ['subject', 'property', 'value'])

/** Reads a release as documents: everything that has an answer of its own, and the controls. */
export async function findContent(release: Release): Promise<OntologyContent> {
  const { version, sha256: digest } = release.manifest
  const texts = await readTexts(release)
  const members = [...membersOf(release), ...(await findControlMembers(release))]
  const shaped = members.map((member) => shapeDocument(release, texts, member))
  const documents = await withSuccessors(release, shaped)
  const labels = new Map(documents.map(({ iri, label }) => [iri, label]))
  const published = new Set(publishedTechniques(release))
  const links = (await findControls(release)).assertions
    .filter(({ technique }) => published.has(technique))
    .map((assertion) => shapeLink(release, assertion, labels))
  const tacticOrder = [...inDisplayOrder(release, tacticsOf(release)), ...offensiveTactics(release)]
  return { version, digest, documents, links, tacticOrder }
}

/** Sorted by domain first, because each domain has its own display order. Tactics without a domain come last. */
function offensiveTactics(release: Release): readonly string[] {
  const domains = domainsIn(release.hierarchy)
  const tactics = inDisplayOrder(release, [...release.hierarchy.below(d3f.OffensiveTactic)].sort(compareCodeUnits))
  return [...ATTACK_DOMAINS, null].flatMap((domain) => tactics.filter((iri) => domains.of(iri) === domain))
}

interface RecordOfKind {
  readonly kind: OntologyKind
  readonly iri: string
}

/** Each subject once: a class of two kinds has the first. */
function membersOf(release: Release): readonly RecordOfKind[] {
  const { hierarchy, summaries } = release
  const weaknesses = Array.from(summaries.withProperty(d3f.cweId), ([iri]) => iri)
  const groups: readonly (readonly [OntologyKind, readonly string[]])[] = [
    ['technique', publishedTechniques(release)],
    ['tactic', [...tacticsOf(release), ...hierarchy.below(d3f.OffensiveTactic)]],
    ['offensive-technique', attacks(release)],
    ['weakness', weaknesses.sort(compareCodeUnits)],
    ['artifact', [...artifacts(release)].filter((iri) => iri !== d3f.DigitalArtifact)],
  ]
  const kinds = new Map<string, OntologyKind>()
  for (const [kind, iris] of groups) for (const iri of iris) if (!kinds.has(iri)) kinds.set(iri, kind)
  return Array.from(kinds, ([iri, kind]) => ({ kind, iri }))
}

async function findControlMembers({ graph }: Release): Promise<readonly RecordOfKind[]> {
  const kinds = new Map<string, OntologyKind>()
  for (const { kind, control } of await graph.select(CONTROLS))
    kinds.set(control.value, kind.value === d3f.CCIControl ? 'cci' : 'control')
  return Array.from(kinds, ([iri, kind]) => ({ kind, iri })).sort(
    (a, b) => compareCodeUnits(a.kind, b.kind) || compareCodeUnits(a.iri, b.iri),
  )
}

/** Values by subject and property, sorted. */
type TextsBySubject = ReadonlyMap<string, readonly string[]>

async function readTexts({ graph }: Release): Promise<TextsBySubject> {
  const texts = new Map<string, string[]>()
  for (const { subject, property, value } of await graph.select(TEXTS))
    append(texts, `${subject.value} ${property.value}`, value.value)
  for (const values of texts.values()) values.sort(compareCodeUnits)
  return texts
}

type DocumentWithoutSuccessors = Omit<OntologyDocument, 'deprecated' | 'successors'>

/** A successor is a record of the same kind. */
async function withSuccessors(
  release: Release,
  documents: readonly DocumentWithoutSuccessors[],
): Promise<readonly OntologyDocument[]> {
  const byIri = new Map(documents.map((document) => [document.iri, document]))
  const identified = new Map<string, string>()
  for (const { id, iri } of documents) if (id !== null && !identified.has(id)) identified.set(id, iri)
  const deprecated = await findDeprecated(release, identified)
  return documents.map((document) => ({
    ...document,
    deprecated: deprecated.has(document.iri),
    successors: (deprecated.get(document.iri) ?? []).flatMap((successor) => {
      const successorDocument = byIri.get(successor)
      if (successorDocument?.kind !== document.kind) return []
      const { iri, label, name, id } = successorDocument
      return [{ iri, label, name, id }]
    }),
  }))
}

function shapeDocument(
  release: Release,
  texts: TextsBySubject,
  { kind, iri }: RecordOfKind,
): DocumentWithoutSuccessors {
  const { names, summaries } = release
  const name = names.compact(iri)
  const labels = summaries.labels(iri).map(({ value }) => value)
  const label = texts.get(`${iri} ${d3f.controlName}`)?.[0] ?? labels[0] ?? name
  const id = idOf(release, { kind, iri })
  const others = [...labels, ...valuesOf(release, iri, [d3f.synonym, skos.altLabel])]
  const synonyms = new Set(others.filter((other) => other !== label && other !== id))
  const parts = [
    ...valuesOf(release, iri, [d3f.definition]).slice(0, 1),
    ...(texts.get(`${iri} ${d3f.kbArticle}`) ?? []).slice(0, 1),
  ]
  return {
    kind,
    iri,
    name,
    id,
    label,
    synonyms: [...synonyms].sort(compareCodeUnits),
    text: parts.map(plainText).join(' '),
    tactics: isTechnique(kind) ? enabledTactics(release, iri) : [],
    domain: kind === 'offensive-technique' || kind === 'tactic' ? domainsIn(release.hierarchy).of(iri) : null,
  }
}

function isTechnique(kind: OntologyKind): boolean {
  return kind === 'technique' || kind === 'offensive-technique'
}

const IDENTIFIERS: Readonly<Partial<Record<OntologyKind, string>>> = {
  technique: d3f.d3fendId,
  'offensive-technique': d3f.attackId,
  weakness: d3f.cweId,
}

/** The id of a control is its label; that of an offensive tactic is stated, or its name. */
function idOf(release: Release, { kind, iri }: RecordOfKind): string | null {
  const { summaries } = release
  const property = IDENTIFIERS[kind]
  if (property !== undefined) return summaries.values(iri, property)[0]?.value ?? null
  if (kind === 'tactic') return tacticId(release, iri)
  return kind === 'artifact' ? null : (summaries.labels(iri)[0]?.value ?? null)
}

/** `TA0006`, `AML.TA0005`, `ST0001`; defensive tactics have none. */
function tacticId({ hierarchy, names, summaries }: Release, iri: string): string | null {
  if (!hierarchy.up(iri).has(d3f.OffensiveTactic)) return null
  return summaries.values(iri, d3f.attackId)[0]?.value ?? names.compact(iri).replace(/^d3f:/, '')
}

function valuesOf({ summaries }: Release, iri: string, properties: readonly string[]): readonly string[] {
  return properties.flatMap((property) => summaries.values(iri, property).map(({ value }) => value.trim()))
}

function shapeLink(
  release: Release,
  { kind, control, label, relation, technique }: ControlAssertion,
  labels: ReadonlyMap<string, string>,
): ControlLink {
  return {
    control: label,
    label: labels.get(control) ?? label,
    kind: kind === d3f.CCIControl ? 'cci' : 'control',
    relation: relationName(release, relation),
    technique,
  }
}

/**
 * Deprecated subjects of a release by IRI, each with the IRIs of the subjects that are named as its successors, sorted.
 * ATT&CK's revoked techniques name theirs by identifier (`"T1560"`). A reference to a page names none.
 */
async function findDeprecated(
  release: Release,
  identified: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const successorsOf = new Map<string, string[]>()
  for (const { subject, successor } of await release.graph.select(DEPRECATED)) {
    if (!successorsOf.has(subject.value)) successorsOf.set(subject.value, [])
    const iri = successor === undefined ? undefined : subjectNamed(release, identified, successor)
    if (iri !== undefined && iri !== subject.value) append(successorsOf, subject.value, iri)
  }
  for (const successors of successorsOf.values()) successors.sort(compareCodeUnits)
  return successorsOf
}

function subjectNamed({ subjects }: Release, identified: ReadonlyMap<string, string>, term: Term): string | undefined {
  if (term.type === 'literal') return identified.get(term.value.trim())
  return subjects.has(term.value) ? term.value : undefined
}
