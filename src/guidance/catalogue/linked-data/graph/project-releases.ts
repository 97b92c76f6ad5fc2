import { lineKey, type Release } from '../../benchmarks/releases.ts'
import type { Iris } from './iris.ts'
import { QuadWriter } from './quads.ts'
import { dcterms } from './terms.ts'

/**
 * The line of each release and the release that it replaces, as N-Quads in the graph of releases. `releases` has
 * the oldest of each line first.
 */
export function projectReleases(releases: readonly Release[], iris: Iris): string {
  const out = new QuadWriter(iris.releases)
  const newest = new Map<string, string>()
  for (const release of releases) {
    const iri = iris.benchmark(release)
    const line = iris.line(release.line)
    out.link(iri, dcterms.isVersionOf, line)
    out.text(line, dcterms.identifier, release.line)
    const previous = newest.get(lineKey(release))
    if (previous !== undefined) out.link(iri, dcterms.replaces, previous)
    newest.set(lineKey(release), iri)
  }
  return out.take()
}
