import { escapeMarkup } from '../../../../platform/markup.ts'
import type { Release } from '../../benchmarks/releases.ts'
import { FEED_ADDRESS, LIST_ADDRESS, releaseAddress } from '../addresses.ts'

/** Readers of feeds look at the newest entries. */
const MOST = 100
const NEVER = '1970-01-01'

/**
 * Releases of benchmarks as an Atom feed (RFC 4287), the newest first by their own dates. A release without a date is
 * left out. `baseUrl` has no final slash.
 */
export function benchmarkFeed(releases: readonly Release[], baseUrl: string): string {
  const dated = releases
    .flatMap((release) => (release.releaseDate === null ? [] : [{ ...release, date: release.releaseDate }]))
    .toSorted((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0))
    .slice(0, MOST)
  const address = escapeMarkup(`${baseUrl}${FEED_ADDRESS}`)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<id>${address}</id>`,
    '<title>Releases of SRGs and STIGs</title>',
    `<updated>${midnight(dated[0]?.date ?? NEVER)}</updated>`,
    `<author><name>${escapeMarkup(baseUrl)}</name></author>`,
    `<link rel="self" type="application/atom+xml" href="${address}"/>`,
    `<link rel="alternate" type="application/json" href="${escapeMarkup(`${baseUrl}${LIST_ADDRESS}`)}"/>`,
    ...dated.map((release) => entry(release, baseUrl)),
    '</feed>',
    '',
  ].join('\n')
}

function entry(release: Release & { readonly date: string }, baseUrl: string): string {
  const { title, version, ruleCount, severityCounts, digest, date } = release
  const { high, medium, low } = severityCounts
  const address = escapeMarkup(`${baseUrl}${releaseAddress(release)}`)
  return [
    '<entry>',
    // The same content has the same id on every instance.
    `<id>urn:sha256:${digest}</id>`,
    `<title>${escapeMarkup(`${title} ${version}`)}</title>`,
    `<updated>${midnight(date)}</updated>`,
    `<link rel="alternate" type="application/json" href="${address}"/>`,
    `<summary>${ruleCount} rules: ${high} high, ${medium} medium, ${low} low.</summary>`,
    '</entry>',
  ].join('\n')
}

function midnight(day: string): string {
  return `${day}T00:00:00Z`
}
