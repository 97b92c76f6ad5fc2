import { distance } from 'fastest-levenshtein'
import type { ControlLink, OntologyContent, OntologyDocument } from '../contracts/sources.ts'
import { compareCodeUnits } from '../graph/term.ts'
import { append } from '../platform/append.ts'
import { nameOf } from '../platform/words.ts'

/** A release of the ontology by what leads from one record to the next. */
export interface Lookup {
  readonly content: OntologyContent
  readonly byIri: ReadonlyMap<string, OntologyDocument>
  /** By names and ids, as `nameOf` writes them. */
  readonly byName: ReadonlyMap<string, OntologyDocument>
  /** Of a CCI or a NIST control, by its id. */
  readonly linksOf: ReadonlyMap<string, readonly ControlLink[]>
  /** What NIST controls are called, by id, as `nameOf` writes it. */
  readonly controlNames: ReadonlyMap<string, string>
  readonly spellings: readonly Spelling[]
}

/** A way to write the name of a record, without what people leave out. */
interface Spelling {
  readonly folded: string
  readonly name: string
}

const lookups = new WeakMap<OntologyContent, Lookup>()

/** Made once for each release. */
export function lookupOf(content: OntologyContent): Lookup {
  const known = lookups.get(content) ?? makeLookup(content)
  lookups.set(content, known)
  return known
}

function makeLookup(content: OntologyContent): Lookup {
  const byName = new Map<string, OntologyDocument>()
  for (const document of content.documents) {
    for (const name of namesOf(document))
      if (!byName.has(nameOf(name))) byName.set(nameOf(name), document)
  }
  const linksOf = new Map<string, ControlLink[]>()
  for (const link of content.links) append(linksOf, link.control, link)
  const byIri = new Map(content.documents.map((document) => [document.iri, document]))
  const controls = content.documents.filter(({ kind, id }) => kind === 'control' && id !== null)
  const controlNames = new Map(controls.map(({ id }) => [id ?? '', nameOf(id ?? '')]))
  const spellings = content.documents.flatMap(spellingsOf)
  return { content, byIri, byName, linksOf, controlNames, spellings }
}

function namesOf({ name, id }: OntologyDocument): readonly string[] {
  return id === null ? [bare(name)] : [id, bare(name)]
}

/** Without its prefix. */
function bare(name: string): string {
  return name.replace(/^d3f:/, '')
}

/** The record of an IRI, a name (`d3f:AccountLocking`, `AccountLocking`) or an id (`D3-AL`, `CWE-79`). */
export function findDocument({ byIri, byName }: Lookup, asked: string): OntologyDocument | null {
  return byIri.get(asked) ?? byName.get(nameOf(bare(asked))) ?? null
}

const MOST = 5
/** Beyond this length a name is not a slip of the pen, and comparing it costs too much. */
const LONGEST = 100

/** Names near to one that does not exist, best first: at most a quarter of the letters may differ. */
export function nearestNames({ spellings }: Lookup, asked: string): readonly string[] {
  const wanted = fold(asked)
  if (wanted === '' || asked.length > LONGEST) return []
  const bound = Math.max(1, Math.floor(wanted.length / 4))
  const best = new Map<string, number>()
  for (const { folded, name } of spellings) {
    if (Math.abs(folded.length - wanted.length) > bound) continue
    const apart = distance(folded, wanted)
    if (apart <= bound && apart < (best.get(name) ?? Infinity)) best.set(name, apart)
  }
  return [...best]
    .sort(([a, x], [b, y]) => x - y || compareCodeUnits(a, b))
    .slice(0, MOST)
    .map(([name]) => name)
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
