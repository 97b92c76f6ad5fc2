import { SaxesParser } from 'saxes'

const ATOM = 'http://www.w3.org/2005/Atom'
/** A date of RFC 4287 §3.3: RFC 3339 with capital letters and a zone. */
const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/

interface Element {
  readonly name: string
  readonly uri: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Element[]
  text: string
}

/** Lists elements that RFC 4287 forbids in an Atom feed, and required ones that are missing. */
export function faultsOfAtom(xml: string): readonly string[] {
  const feed = read(xml)
  const entries = childrenNamed(feed, 'entry')
  const ids = entries.map((entry) => childrenNamed(entry, 'id')[0]?.text ?? '')
  return [
    ...(feed.name === 'feed' && feed.uri === ATOM ? [] : [`the root is ${feed.name}`]),
    ...faultsOf(feed, 'feed'),
    ...entries.flatMap((entry, index) => faultsOf(entry, `entry ${index}`)),
    // §4.1.1: the feed has an author, unless all entries have one.
    ...(childrenNamed(feed, 'author').length > 0 ? [] : ['there is no author']),
    ...childrenNamed(feed, 'author').flatMap((author) => count(author, 'author', { name: [1, 1] })),
    ...(childrenNamed(feed, 'link').some(({ attributes }) => attributes['rel'] === 'self')
      ? []
      : ['feed: there is no link to itself']),
    ...(new Set(ids).size === ids.length ? [] : ['two entries have one id']),
  ]
}

const ONCE = [1, 1] as const
const AT_MOST_ONCE = [0, 1] as const
const ALLOWED = ['author', 'category', 'contributor', 'link']

/** Checks the rules that feeds (§4.1.1) and entries (§4.1.2) share. */
function faultsOf(element: Element, where: string): readonly string[] {
  const ownNames = where === 'feed' ? ['entry', 'generator', 'icon', 'logo', 'subtitle'] : ['content']
  const usual = ['id', 'title', 'updated', 'rights', 'published', 'summary', 'source']
  const allowed = new Set([...ALLOWED, ...ownNames, ...usual])
  const dates = [...childrenNamed(element, 'updated'), ...childrenNamed(element, 'published')]
  const links = childrenNamed(element, 'link').map(({ attributes }) => attributes)
  const alternates = links.filter(({ rel = 'alternate' }) => rel === 'alternate')
  const kinds = alternates.map(({ type, hreflang }) => `${type ?? ''} ${hreflang ?? ''}`)
  const addresses = [childrenNamed(element, 'id')[0]?.text ?? '', ...links.map(({ href = '' }) => href)]
  return [
    ...count(element, where, { id: ONCE, title: ONCE, updated: ONCE }),
    ...count(element, where, { published: AT_MOST_ONCE, summary: AT_MOST_ONCE, rights: AT_MOST_ONCE }),
    ...element.children.flatMap(({ name, uri }) =>
      uri !== ATOM || allowed.has(name) ? [] : [`${where}: ${name} may not be there`],
    ),
    ...dates.flatMap(({ text }) => (isDate(text) ? [] : [`${where}: ${text} is no date`])),
    ...addresses.flatMap((iri) => (URL.canParse(iri) ? [] : [`${where}: ${iri} is no full IRI`])),
    ...(new Set(kinds).size === kinds.length ? [] : [`${where}: two alternates of one type`]),
    // §4.1.2: an entry without content needs an alternate link.
    ...(where === 'feed' || alternates.length > 0 || childrenNamed(element, 'content').length > 0
      ? []
      : [`${where}: there is neither content nor an alternate`]),
  ]
}

function count(
  element: Element,
  where: string,
  bounds: Readonly<Record<string, readonly [number, number]>>,
): readonly string[] {
  return Object.entries(bounds).flatMap(([name, [least, most]]) => {
    const { length } = childrenNamed(element, name)
    return length >= least && length <= most ? [] : [`${where}: ${length} times ${name}`]
  })
}

function isDate(text: string): boolean {
  return DATE.test(text) && !Number.isNaN(Date.parse(text))
}

function childrenNamed({ children }: Element, name: string): readonly Element[] {
  return children.filter((child) => child.name === name && child.uri === ATOM)
}

function read(xml: string): Element {
  const root: Element = { name: '', uri: '', attributes: {}, children: [], text: '' }
  const open = [root]
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ local, uri, attributes }) => {
    const values = Object.entries(attributes).map(([name, { value }]) => [name, value] as const)
    const element = { name: local, uri, attributes: Object.fromEntries(values), children: [], text: '' }
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  parser.on('text', (text) => {
    const element = open.at(-1)
    if (element !== undefined) element.text += text
  })
  parser.on('closetag', () => void open.pop())
  parser.write(xml).close()
  return root.children[0] ?? root
}
