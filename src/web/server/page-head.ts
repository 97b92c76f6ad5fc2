import { escapeMarkup } from '../../platform/markup.ts'
import { CATALOGUE_PATHS } from '../paths/catalogue.ts'
import { ONTOLOGY_PATHS } from '../paths/ontology.ts'
import type { PageName } from '../paths/paths.ts'
import type { Cards, RecordKind } from './cards.ts'

/** Search engines show about this many characters. */
const MAX_DESCRIPTION_LENGTH = 200
/** The title in `index.html`, which is replaced. */
const TITLE = '<title>Parapet</title>'

/** A short description of the record that a page shows. */
export interface RecordHead {
  readonly kind: RecordKind
  readonly title: string
  /** Without markup; may be empty. */
  readonly text: string
  /** Canonical path of the page, also if the request used another name of the record. */
  readonly path: string
}

export interface Feeds {
  /** Path of the feed of releases of the ontology. */
  readonly ontology: string
  /** Path of the feed of releases of STIGs and SRGs; null if it is not public. */
  readonly catalogue: string | null
}

interface HeadParts {
  /** Without a final slash. */
  readonly baseUrl: string
  readonly cards: Cards
}

/**
 * The document with its title, and with what search engines and other sites show of the record on the page: `description`,
 * the canonical address and OpenGraph (ogp.me).
 */
export function withRecord(document: string, record: RecordHead, { baseUrl, cards }: HeadParts): string {
  const address = baseUrl + record.path
  const card = cards.get(record.kind)
  const description = firstPart(record.text)
  const properties: readonly (readonly [string, string])[] = [
    ['og:site_name', 'Parapet'],
    ['og:type', 'article'],
    ['og:title', record.title],
    ...(description === '' ? [] : [['og:description', description] as const]),
    ['og:url', address],
    ...(card === undefined ? [] : [['og:image', baseUrl + card.path] as const]),
  ]
  const tags = [
    `<title>${escapeMarkup(record.title)} – Parapet</title>`,
    ...(description === '' ? [] : [`<meta name="description" content="${escapeMarkup(description)}">`]),
    `<link rel="canonical" href="${escapeMarkup(address)}">`,
    ...properties.map(([name, value]) => `<meta property="${name}" content="${escapeMarkup(value)}">`),
  ]
  return document.replace(TITLE, () => tags.join(''))
}

/** The document with the title of its page, unless it has the title of a record. */
export function withTitle(document: string, title: string): string {
  return document.replace(TITLE, () => `<title>${escapeMarkup(title)} – Parapet</title>`)
}

/** Adds links to the feeds that belong to a page. */
export function withFeeds(document: string, page: PageName, { ontology, catalogue }: Feeds): string {
  const links = [
    ...(page === 'start' || page in ONTOLOGY_PATHS ? [feedLink(ontology, 'Releases of the ontology')] : []),
    ...(catalogue !== null && (page === 'start' || page in CATALOGUE_PATHS)
      ? [feedLink(catalogue, 'Releases of STIGs and SRGs')]
      : []),
  ]
  return document.replace('</head>', (end) => links.join('') + end)
}

function feedLink(path: string, title: string): string {
  return `<link rel="alternate" type="application/atom+xml" title="${title}" href="${path}">`
}

/** The first part of a text, on one line: its first sentences, or else cut between two words. */
export function firstPart(text: string): string {
  const line = text
    .slice(0, 10 * MAX_DESCRIPTION_LENGTH)
    .replace(/\s+/g, ' ')
    .trim()
  if (line.length <= MAX_DESCRIPTION_LENGTH) return line
  const start = line.slice(0, MAX_DESCRIPTION_LENGTH)
  const sentences = start.lastIndexOf('. ')
  if (sentences > MAX_DESCRIPTION_LENGTH / 2) return start.slice(0, sentences + 1)
  const blank = start.lastIndexOf(' ')
  // A cut must not leave half of a character.
  return `${(blank > 0 ? start.slice(0, blank) : start).replace(/[\uD800-\uDBFF]$/, '')} …`
}
