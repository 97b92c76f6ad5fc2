import { instant } from '../../graph/json-ld.ts'
import { escapeMarkup } from '../../platform/markup.ts'
import { stableUuid } from '../../platform/stable-uuid.ts'
import type { Manifest } from '../release/manifest.ts'

/** Readers of feeds look at what is new. */
const MOST = 100
const NEVER = '1970-01-01T00:00:00.000Z'

export const FEED_TYPE = 'application/atom+xml; charset=utf-8'

/** The releases as an Atom feed (RFC 4287), the newest first. `baseUrl` has no final slash. */
export function atomFeed(releases: readonly Manifest[], baseUrl: string): string {
  const updated = releases.map(({ ingestedAt }) => ingestedAt).sort()
  const entries = releases.slice(0, MOST).map((release, index) => {
    return entry(release, { before: releases[index + 1], baseUrl })
  })
  const address = escapeMarkup(`${baseUrl}/api/releases.atom`)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<id>${address}</id>`,
    '<title>Releases of the ontology</title>',
    `<updated>${updated.at(-1) ?? NEVER}</updated>`,
    `<author><name>${escapeMarkup(baseUrl)}</name></author>`,
    `<link rel="self" type="application/atom+xml" href="${address}"/>`,
    link('alternate', `${baseUrl}/api/releases.json`),
    ...entries,
    '</feed>',
    '',
  ].join('\n')
}

interface EntryContext {
  /** The release before it. */
  readonly before: Manifest | undefined
  readonly baseUrl: string
}

function entry(release: Manifest, { before, baseUrl }: EntryContext): string {
  const { version, sha256, releaseDate, ingestedAt, counts } = release
  const encoded = encodeURIComponent(version)
  const told =
    `${counts.statements} statements: ${counts.defensiveTechniques} defensive and ` +
    `${counts.offensiveTechniques} offensive techniques, ${counts.artifacts} artifacts, ${counts.weaknesses} weaknesses.`
  const published = instant(releaseDate)
  return [
    '<entry>',
    // Each publisher of the same release gives it the same id.
    `<id>urn:uuid:${stableUuid(`${version} ${sha256}`)}</id>`,
    `<title>Release ${escapeMarkup(version)}</title>`,
    `<updated>${ingestedAt}</updated>`,
    // RFC 3339, or not at all.
    ...(Number.isNaN(Date.parse(published)) || !published.endsWith('Z') ? [] : [`<published>${published}</published>`]),
    link('alternate', `${baseUrl}/releases/${encoded}/api/version.json`),
    ...(before === undefined
      ? []
      : [link('related', `${baseUrl}/api/releases/${encodeURIComponent(before.version)}/changes/${encoded}.json`)]),
    `<summary>${told}</summary>`,
    '</entry>',
  ].join('\n')
}

function link(rel: string, href: string): string {
  return `<link rel="${rel}" type="application/json" href="${escapeMarkup(href)}"/>`
}
