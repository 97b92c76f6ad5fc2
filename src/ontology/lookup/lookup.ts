import type { NameLookup, NameLookups, LookupRecord } from '../../contracts/lookup.ts'
import { d3f } from '../../graph/vocabulary.ts'
import type { Release } from '../release/release.ts'
import { describedAt, namesIndexOf, nearestTo, type NamesIndex } from './names-index.ts'

/** Limit of the other records with the same name in an answer. */
const MAX_OTHERS = 5

/** See `OntologyLookup`. */
export async function lookUp(release: Release, names: readonly string[]): Promise<NameLookups> {
  const index = await namesIndexOf(release)
  const { version, sha256: digest } = release.manifest
  const cache = new Map<string, NameLookup | null>()
  for (const name of names) if (!cache.has(name)) cache.set(name, find(release, index, name))
  return { version, digest, found: names.map((name) => cache.get(name) ?? null) }
}

/** See `OntologyLookup`. */
export async function nearest(release: Release, names: readonly string[]): Promise<readonly (readonly string[])[]> {
  const index = await namesIndexOf(release)
  return names.map((name) => nearestTo(index, name))
}

function find(release: Release, index: NamesIndex, name: string): NameLookup | null {
  const iri = release.names.expand(name)
  if (release.resources.has(iri)) return { record: index.byIri.get(iri) ?? resourceOf(release, iri), others: [] }
  for (const [fold, among] of index.foldings) {
    const [record, ...also] = among.get(fold(name)) ?? []
    if (record !== undefined) return { record, others: also.slice(0, MAX_OTHERS) }
  }
  const local = release.names.expand(`d3f:${name}`)
  return release.resources.has(local) ? { record: resourceOf(release, local), others: [] } : null
}

/** Describes a subject that is not a record: a property, a reference, another class. */
function resourceOf({ names, summaries }: Release, iri: string): LookupRecord {
  const name = names.compact(iri)
  const [label, ...otherLabels] = summaries.labels(iri).map(({ value }) => value)
  return {
    kind: 'resource',
    iri,
    name,
    id: null,
    label: label ?? name,
    synonyms: otherLabels,
    text: summaries.values(iri, d3f.definition)[0]?.value ?? '',
    tactics: [],
    domain: null,
    deprecated: false,
    successors: [],
    path: describedAt(name),
  }
}
