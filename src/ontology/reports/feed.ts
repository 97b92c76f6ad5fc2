import { instant } from '../../graph/json-ld.ts'
import { MAX_ENTRIES, writeFeed, type FeedEntry } from '../../platform/atom.ts'
import { stableUuid } from '../../platform/stable-uuid.ts'
import type { Manifest } from '../release/manifest.ts'

export const FEED_TYPE = 'application/atom+xml; charset=utf-8'

/** Path of the feed. */
export const RELEASE_FEED = '/api/releases.atom'

/** The releases as an Atom feed, the newest first. `baseUrl` has no final slash. */
export function atomFeed(releases: readonly Manifest[], baseUrl: string): string {
  const updated = releases.map(({ ingestedAt }) => ingestedAt).sort()
  return writeFeed({
    address: baseUrl + RELEASE_FEED,
    title: 'Releases of the ontology',
    author: baseUrl,
    alternate: `${baseUrl}/api/releases.json`,
    updated: updated.at(-1) ?? null,
    entries: releases.slice(0, MAX_ENTRIES).map((release, index) => {
      return entryOf(release, { before: releases[index + 1], baseUrl })
    }),
  })
}

interface EntryContext {
  /** The release before it. */
  readonly before: Manifest | undefined
  readonly baseUrl: string
}

function entryOf(release: Manifest, { before, baseUrl }: EntryContext): FeedEntry {
  const { version, sha256, releaseDate, ingestedAt, counts } = release
  const encoded = encodeURIComponent(version)
  const published = instant(releaseDate)
  const links: FeedEntry['links'] = [
    { rel: 'alternate', href: `${baseUrl}/releases/${encoded}/api/version.json` },
    ...(before === undefined
      ? []
      : [
          {
            rel: 'related' as const,
            href: `${baseUrl}/api/releases/${encodeURIComponent(before.version)}/changes/${encoded}.json`,
          },
        ]),
  ]
  return {
    // Each publisher of the same release gives it the same id.
    id: `urn:uuid:${stableUuid(`${version} ${sha256}`)}`,
    title: `Release ${version}`,
    updated: ingestedAt,
    // Atom requires dates of RFC 3339; others are left out.
    ...(!Number.isNaN(Date.parse(published)) && published.endsWith('Z') && { published }),
    links,
    summary:
      `${counts.statements} statements: ${counts.defensiveTechniques} defensive and ` +
      `${counts.offensiveTechniques} offensive techniques, ${counts.artifacts} artifacts, ${counts.weaknesses} weaknesses.`,
  }
}
