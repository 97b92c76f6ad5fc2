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
import { getOrMake } from '../platform/get-or-make.ts'

/** More paths than any release has: D3FEND 0.17.0 has 2,800 to attacks. */
const MAX_PATHS = 1_000_000

/** The links and paths from CCIs to attacks that a release of the ontology states. */
export interface OntologyPaths {
  readonly release: { readonly version: string; readonly digest: string }
  /** By CCI. */
  readonly links: ReadonlyMap<string, readonly ControlLink[]>
  /** Defensive techniques and attacks by IRI, in the order of their ids. */
  readonly techniques: ReadonlyMap<string, OntologyDocument>
  readonly attacks: ReadonlyMap<string, OntologyDocument>
  /** The domains of all attacks of the release, even if only some of them are measured. */
  readonly domains: readonly AttackDomain[]
  /** The IRIs of tactics, in the order in which matrices show them. */
  readonly tacticOrder: readonly string[]
  /** By the IRI of an offensive tactic. */
  readonly tacticDomains: ReadonlyMap<string, AttackDomain>
  /** Paths to attacks by the technique that counters them. */
  readonly counterPaths: ReadonlyMap<string, readonly CounterPath[]>
  /** Techniques by the attack that they counter. */
  readonly defenders: ReadonlyMap<string, readonly string[]>
}

type OntologyReader = Pick<ReleaseSources, 'content' | 'counters'>

const pathsByContent = new WeakMap<OntologyContent, Promise<OntologyPaths | null>>()

/** Computed once for each release. */
export async function findOntologyPaths(ontology: OntologyReader): Promise<OntologyPaths> {
  const content = await ontology.content()
  const ontologyPaths = getOrMake(pathsByContent, content, () => readOntologyPaths(ontology, content))
  const paths = await ontologyPaths.catch((error: unknown) => {
    pathsByContent.delete(content)
    throw error
  })
  if (paths !== null) return paths
  pathsByContent.delete(content)
  return findOntologyPaths(ontology)
}

/** Null if another release was activated meanwhile, because the paths may belong to either. */
async function readOntologyPaths(ontology: OntologyReader, content: OntologyContent): Promise<OntologyPaths | null> {
  const techniques = documentsOfKind(content, 'technique')
  const attacks = documentsOfKind(content, 'offensive-technique')
  const counters = await ontology.counters([...techniques.keys()], MAX_PATHS)
  if ((await ontology.content()) !== content) return null
  const toAttacks = counters.filter(({ other }) => attacks.has(other.iri))
  const counterPaths = new Map<string, CounterPath[]>()
  for (const path of toAttacks) append(counterPaths, path.technique, path)
  const defenders = new Map<string, Set<string>>()
  for (const { other, technique } of toAttacks)
    defenders.set(other.iri, (defenders.get(other.iri) ?? new Set()).add(technique))
  const links = new Map<string, ControlLink[]>()
  for (const link of content.links)
    if (link.kind === 'cci' && techniques.has(link.technique)) append(links, link.control, link)
  return {
    release: { version: content.version, digest: content.digest },
    links,
    techniques,
    attacks,
    counterPaths,
    domains: domainsOf(attacks),
    tacticOrder: content.tacticOrder,
    tacticDomains: new Map(
      content.documents.flatMap(({ kind, iri, domain }) =>
        kind === 'tactic' && domain !== null ? [[iri, domain] as const] : [],
      ),
    ),
    defenders: new Map([...defenders].map(([attack, techniqueIris]) => [attack, [...techniqueIris].sort()])),
  }
}

/** Leaves out documents without an id, because they are classes that only group others. */
function documentsOfKind(
  { documents }: OntologyContent,
  kind: OntologyDocument['kind'],
): ReadonlyMap<string, OntologyDocument> {
  const kindDocuments = documents.filter((document) => document.kind === kind && document.id !== null)
  const order = new Intl.Collator('en', { numeric: true })
  const key = ({ id, name }: OntologyDocument): string => `${id ?? ''} ${name}`
  return new Map(
    kindDocuments.sort((a, b) => order.compare(key(a), key(b))).map((document) => [document.iri, document]),
  )
}

function domainsOf(attacks: ReadonlyMap<string, OntologyDocument>): readonly AttackDomain[] {
  const present = new Set(Array.from(attacks.values(), ({ domain }) => domain))
  return ATTACK_DOMAINS.filter((domain) => present.has(domain))
}

/** Keeps the attacks of these domains; a list without domains keeps all. */
export function limitTo(paths: OntologyPaths, domains: readonly AttackDomain[]): OntologyPaths {
  if (domains.length === 0) return paths
  const attacks = new Map([...paths.attacks].filter(([, { domain }]) => domain !== null && domains.includes(domain)))
  const counterPaths = Array.from(paths.counterPaths, ([technique, allPaths]) => {
    return [technique, allPaths.filter(({ other }) => attacks.has(other.iri))] as const
  })
  return { ...paths, attacks, counterPaths: new Map(counterPaths.filter(([, remaining]) => remaining.length > 0)) }
}

/** Keeps the links of CCIs that have these relations; a list without relations keeps all. */
export function onlyRelations(paths: OntologyPaths, relations: readonly string[]): OntologyPaths {
  if (relations.length === 0) return paths
  const links = Array.from(paths.links, ([cci, allLinks]) => {
    return [cci, allLinks.filter(({ relation }) => relations.includes(relation))] as const
  })
  return { ...paths, links: new Map(links) }
}
