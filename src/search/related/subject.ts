import type { ControlLink, OntologyContent, OntologyDocument } from '../../contracts/sources.ts'
import { nearestNames, type Spelling } from '../../graph/nearest.ts'
import { append } from '../../platform/append.ts'
import { getOrMake } from '../../platform/get-or-make.ts'
import { nameOf } from '../../platform/words.ts'

/** A release of the ontology, indexed for paths from record to record. */
export interface OntologyLookup {
  readonly content: OntologyContent
  readonly byIri: ReadonlyMap<string, OntologyDocument>
  /** By names and ids, and by labels that only one has, as `nameOf` writes them. */
  readonly byName: ReadonlyMap<string, OntologyDocument>
  /** Links by the id of their CCI or NIST control. */
  readonly linksOf: ReadonlyMap<string, readonly ControlLink[]>
  /** Names of NIST controls as `nameOf` writes them, by id. */
  readonly controlNames: ReadonlyMap<string, string>
  readonly spellings: readonly Spelling[]
}

const lookups = new WeakMap<OntologyContent, OntologyLookup>()

/** Made once for each release. */
export function lookupOf(content: OntologyContent): OntologyLookup {
  return getOrMake(lookups, content, () => makeLookup(content))
}

function makeLookup(content: OntologyContent): OntologyLookup {
  const byName = new Map<string, OntologyDocument>()
  for (const document of content.documents) {
    for (const name of namesOf(document)) if (!byName.has(nameOf(name))) byName.set(nameOf(name), document)
  }
  for (const [label, document] of ownLabels(content)) if (!byName.has(label)) byName.set(label, document)
  const linksOf = new Map<string, ControlLink[]>()
  for (const link of content.links) append(linksOf, link.control, link)
  const byIri = new Map(content.documents.map((document) => [document.iri, document]))
  const controls = content.documents.filter(({ kind, id }) => kind === 'control' && id !== null)
  const controlNames = new Map(controls.map(({ id }) => [id ?? '', nameOf(id ?? '')]))
  return { content, byIri, byName, linksOf, controlNames, spellings: content.documents.flatMap(spellingsOf) }
}

/** Documents by label, as `nameOf` writes it. Labels of several documents are left out. */
function ownLabels({ documents }: OntologyContent): ReadonlyMap<string, OntologyDocument> {
  const byLabel = new Map<string, OntologyDocument>()
  const shared = new Set<string>()
  for (const document of documents) {
    const label = nameOf(document.label)
    if (byLabel.has(label)) shared.add(label)
    byLabel.set(label, document)
  }
  for (const label of [...shared, '']) byLabel.delete(label)
  return byLabel
}

function namesOf({ name, id }: OntologyDocument): readonly string[] {
  return id === null ? [withoutPrefix(name)] : [id, withoutPrefix(name)]
}

function withoutPrefix(name: string): string {
  return name.replace(/^d3f:/, '')
}

/**
 * The record of an IRI, a name (`d3f:AccountLocking`, `AccountLocking`, `Account Locking`) or an id (`D3-AL`,
 * `CWE-79`).
 */
export function findDocument({ byIri, byName }: OntologyLookup, subject: string): OntologyDocument | null {
  return byIri.get(subject) ?? byName.get(nameOf(withoutPrefix(subject))) ?? null
}

/** Names near to one that does not exist, best first. */
export function nearestSubjects({ spellings }: OntologyLookup, subject: string): readonly string[] {
  return nearestNames(fold(subject), spellings).map(({ name }) => name)
}

function spellingsOf(document: OntologyDocument): readonly Spelling[] {
  const folded = new Set([...namesOf(document), document.label].map(fold))
  return Array.from(folded, (spelling) => ({ folded: spelling, name: document.name }))
}

function fold(name: string): string {
  return name
    .toLowerCase()
    .replace(/^.*[:#/]/, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
}
