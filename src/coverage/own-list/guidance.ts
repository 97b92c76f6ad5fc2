import type { CitingSource } from '../../contracts/list-coverage.ts'
import type { ControlLink } from '../../contracts/sources.ts'
import { nextTurn } from '../../platform/concurrency/turns.ts'
import type { OntologyPaths } from '../ontology-paths.ts'
import type { ResolvedList } from './resolve.ts'

/** Number of rules that are linked before other requests get their turn. */
const BATCH_SIZE = 2000

/** A document of the guidance with its links to the techniques that matter for a list. */
export interface LinkedSource {
  readonly source: CitingSource
  /** Rules with such a link. */
  readonly ruleCount: number
  readonly links: readonly { readonly link: ControlLink; readonly rules: number }[]
  /** IRIs of linked techniques, and of the attacks of the list that these counter. */
  readonly techniques: ReadonlySet<string>
  readonly attacks: ReadonlySet<string>
}

/** The techniques of a list and those that counter its attacks. */
export function relevantTechniques(paths: OntologyPaths, { attacks, techniques }: ResolvedList): ReadonlySet<string> {
  const defenders = [...attacks.keys()].flatMap((iri) => paths.defenders.get(iri) ?? [])
  return new Set([...techniques.keys(), ...defenders])
}

/** Links from CCIs to some techniques. */
export function linksTo(
  { links }: OntologyPaths,
  techniques: ReadonlySet<string>,
): ReadonlyMap<string, readonly ControlLink[]> {
  return new Map(
    [...links].flatMap(([cci, allLinks]) => {
      const relevantLinks = allLinks.filter(({ technique }) => techniques.has(technique))
      return relevantLinks.length === 0 ? [] : [[cci, relevantLinks] as const]
    }),
  )
}

interface LinkOptions {
  readonly paths: OntologyPaths
  readonly list: ResolvedList
  readonly links: ReadonlyMap<string, readonly ControlLink[]>
}

/** Follows the CCIs of documents to techniques and to the attacks of a list. Documents without a link are left out. */
export async function linkSources(
  sources: readonly CitingSource[],
  options: LinkOptions,
): Promise<readonly LinkedSource[]> {
  const linked: LinkedSource[] = []
  /** Rules since other requests had their turn. */
  let ruleCount = 0
  for (const source of sources) {
    const linkedSource = linkSource(source, options)
    if (linkedSource.ruleCount > 0) linked.push(linkedSource)
    ruleCount += source.rules.length
    if (ruleCount < BATCH_SIZE) continue
    ruleCount = 0
    await nextTurn()
  }
  return linked
}

function linkSource(source: CitingSource, { paths, list, links }: LinkOptions): LinkedSource {
  const counts = new Map<ControlLink, number>()
  let ruleCount = 0
  for (const { ccis } of source.rules) {
    const controlLinks = [...new Set(ccis)].flatMap((cci) => links.get(cci) ?? [])
    if (controlLinks.length > 0) ruleCount += 1
    for (const link of controlLinks) counts.set(link, (counts.get(link) ?? 0) + 1)
  }
  const techniques = new Set([...counts.keys()].map(({ technique }) => technique))
  const countered = [...techniques].flatMap((iri) => (paths.counterPaths.get(iri) ?? []).map(({ other }) => other.iri))
  return {
    source,
    ruleCount,
    links: [...counts].map(([link, rules]) => ({ link, rules })),
    techniques,
    attacks: new Set(countered.filter((iri) => list.attacks.has(iri))),
  }
}
