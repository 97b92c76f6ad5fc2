import { escapeMarkup } from './markup.ts'

/** Limit of the entries; readers of feeds show the newest ones. */
export const MAX_ENTRIES = 100

const EPOCH = '1970-01-01T00:00:00.000Z'

export interface Feed {
  /** The address of the feed, which is its id as well. */
  readonly address: string
  readonly title: string
  readonly author: string
  /** The address of the JSON with the same content. */
  readonly alternate: string
  /** Null: nothing was published yet. */
  readonly updated: string | null
  readonly entries: readonly FeedEntry[]
}

export interface FeedEntry {
  /** An IRI. */
  readonly id: string
  readonly title: string
  readonly updated: string
  readonly published?: string
  /** Addresses of JSON documents, by their relation. */
  readonly links: readonly { readonly rel: 'alternate' | 'related'; readonly href: string }[]
  readonly summary: string
}

/** An Atom feed (RFC 4287). Texts are escaped; dates are as in RFC 3339. */
export function writeFeed({ address, title, author, alternate, updated, entries }: Feed): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<id>${escapeMarkup(address)}</id>`,
    `<title>${escapeMarkup(title)}</title>`,
    `<updated>${updated ?? EPOCH}</updated>`,
    `<author><name>${escapeMarkup(author)}</name></author>`,
    `<link rel="self" type="application/atom+xml" href="${escapeMarkup(address)}"/>`,
    link('alternate', alternate),
    ...entries.map(writeEntry),
    '</feed>',
    '',
  ].join('\n')
}

function writeEntry({ id, title, updated, published, links, summary }: FeedEntry): string {
  return [
    '<entry>',
    `<id>${escapeMarkup(id)}</id>`,
    `<title>${escapeMarkup(title)}</title>`,
    `<updated>${updated}</updated>`,
    ...(published === undefined ? [] : [`<published>${published}</published>`]),
    ...links.map(({ rel, href }) => link(rel, href)),
    `<summary>${escapeMarkup(summary)}</summary>`,
    '</entry>',
  ].join('\n')
}

function link(rel: string, href: string): string {
  return `<link rel="${rel}" type="application/json" href="${escapeMarkup(href)}"/>`
}
