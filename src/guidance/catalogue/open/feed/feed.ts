import { MAX_ENTRIES, writeFeed, type FeedEntry } from '../../../../platform/atom.ts'
import type { Release } from '../../benchmarks/releases.ts'
import { FEED_ADDRESS, LIST_ADDRESS, releaseAddress } from '../addresses.ts'

/**
 * Writes an Atom feed of releases, newest first by their own dates; releases without a date are left out. `baseUrl` has
 * no final slash.
 */
export function benchmarkFeed(releases: readonly Release[], baseUrl: string): string {
  const datedReleases = releases
    .flatMap((release) => (release.releaseDate === null ? [] : [{ ...release, date: release.releaseDate }]))
    .toSorted((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0))
    .slice(0, MAX_ENTRIES)
  const [newest] = datedReleases
  return writeFeed({
    address: baseUrl + FEED_ADDRESS,
    title: 'Releases of SRGs and STIGs',
    author: baseUrl,
    alternate: baseUrl + LIST_ADDRESS,
    updated: newest === undefined ? null : midnight(newest.date),
    entries: datedReleases.map((release) => entryOf(release, baseUrl)),
  })
}

function entryOf(release: Release & { readonly date: string }, baseUrl: string): FeedEntry {
  const { title, version, ruleCount, severityCounts, digest, date } = release
  const { high, medium, low } = severityCounts
  return {
    // Equal content has the same id on every instance.
    id: `urn:sha256:${digest}`,
    title: `${title} ${version}`,
    updated: midnight(date),
    links: [{ rel: 'alternate', href: baseUrl + releaseAddress(release) }],
    summary: `${ruleCount} rules: ${high} high, ${medium} medium, ${low} low.`,
  }
}

function midnight(day: string): string {
  return `${day}T00:00:00Z`
}
