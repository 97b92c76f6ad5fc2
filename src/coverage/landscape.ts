import {
  ATTACK_DOMAINS,
  type AttackDomain,
  type ControlLink,
  type CounterPath,
  type OntologyContent,
  type OntologyDocument,
  type ReleaseSources,
} from '../contracts/sources.ts'
import { append } from '../platform/append.ts'

/** More ways than any release has: there are 2,800 to attacks in D3FEND 0.17.0. */
const MOST_WAYS = 1_000_000

/** The links and paths from CCIs to attacks that a release of the ontology states. */
export interface Landscape {
  readonly release: { readonly version: string; readonly digest: string }
  /** By CCI. */
  readonly links: ReadonlyMap<string, readonly ControlLink[]>
  /** Defensive techniques and attacks by IRI, in the order of their ids. */
  readonly techniques: ReadonlyMap<string, OntologyDocument>
  readonly attacks: ReadonlyMap<string, OntologyDocument>
  /** The domains of all attacks of the release, also where only some of them are looked at. */
  readonly domains: readonly AttackDomain[]
  /** The IRIs of tactics, in the order in which matrices show them. */
  readonly tacticOrder: readonly string[]
  /** By the IRI of an offensive tactic. */
  readonly tacticDomains: ReadonlyMap<string, AttackDomain>
  /** Ways to attacks by the technique that meets them. */
  readonly ways: ReadonlyMap<string, readonly CounterPath[]>
  /** Techniques by the attack that they meet. */
  readonly defenders: ReadonlyMap<string, readonly string[]>
}

type OntologyReader = Pick<ReleaseSources, 'content' | 'counters'>

const landscapes = new WeakMap<OntologyContent, Promise<Landscape | null>>()

/** Worked out once for each release. */
export async function landscapeOf(ontology: OntologyReader): Promise<Landscape> {
  const content = await ontology.content()
  const known = landscapes.get(content) ?? readLandscape(ontology, content)
  landscapes.set(content, known)
  const landscape = await known.catch((error: unknown) => {
    landscapes.delete(content)
    throw error
  })
  if (landscape !== null) return landscape
  landscapes.delete(content)
  return landscapeOf(ontology)
}

/** Null where another release took the place of this one meanwhile: the ways may be of either. */
async function readLandscape(ontology: OntologyReader, content: OntologyContent): Promise<Landscape | null> {
  const techniques = documentsOfKind(content, 'technique')
  const attacks = documentsOfKind(content, 'offensive-technique')
  const counters = await ontology.counters([...techniques.keys()], MOST_WAYS)
  if ((await ontology.content()) !== content) return null
  const met = counters.filter(({ other }) => attacks.has(other.iri))
  const ways = new Map<string, CounterPath[]>()
  for (const way of met) append(ways, way.technique, way)
  const defenders = new Map<string, Set<string>>()
  for (const { other, technique } of met)
    defenders.set(other.iri, (defenders.get(other.iri) ?? new Set()).add(technique))
  const links = new Map<string, ControlLink[]>()
  for (const link of content.links)
    if (link.kind === 'cci' && techniques.has(link.technique)) append(links, link.control, link)
  return {
    release: { version: content.version, digest: content.digest },
    links,
    techniques,
    attacks,
    ways,
    domains: domainsOf(attacks),
    tacticOrder: content.tacticOrder,
    tacticDomains: new Map(
      content.documents.flatMap(({ kind, iri, domain }) =>
        kind === 'tactic' && domain !== null ? [[iri, domain] as const] : [],
      ),
    ),
    defenders: new Map([...defenders].map(([attack, own]) => [attack, [...own].sort()])),
  }
}

/** Leaves out documents without an id, because they are classes that only group others. */
function documentsOfKind(
  { documents }: OntologyContent,
  kind: OntologyDocument['kind'],
): ReadonlyMap<string, OntologyDocument> {
  const own = documents.filter((document) => document.kind === kind && document.id !== null)
  const order = new Intl.Collator('en', { numeric: true })
  const key = ({ id, name }: OntologyDocument): string => `${id ?? ''} ${name}`
  return new Map(own.sort((a, b) => order.compare(key(a), key(b))).map((document) => [document.iri, document]))
}

function domainsOf(attacks: ReadonlyMap<string, OntologyDocument>): readonly AttackDomain[] {
  const there = new Set(Array.from(attacks.values(), ({ domain }) => domain))
  return ATTACK_DOMAINS.filter((domain) => there.has(domain))
}

/** Keeps the attacks of these domains; a list without domains keeps all. */
export function limitTo(landscape: Landscape, domains: readonly AttackDomain[]): Landscape {
  if (domains.length === 0) return landscape
  const attacks = new Map(
    [...landscape.attacks].filter(([, { domain }]) => domain !== null && domains.includes(domain)),
  )
  const ways = Array.from(landscape.ways, ([technique, all]) => {
    return [technique, all.filter(({ other }) => attacks.has(other.iri))] as const
  })
  return { ...landscape, attacks, ways: new Map(ways.filter(([, kept]) => kept.length > 0)) }
}
