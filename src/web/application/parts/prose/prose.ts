/** A part of a line; links only have web addresses. */
export type Piece =
  | { readonly kind: 'text' | 'code' | 'strong' | 'emphasis'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly href: string }

type Line = readonly Piece[]

export type Block =
  | { readonly kind: 'heading'; readonly line: Line }
  | { readonly kind: 'paragraph'; readonly line: Line }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly Line[] }

const HEADING = /^#{1,6}\s+(.*)$/
const ITEM = /^\s*(?:[-*+]|(\d+)[.)])\s+(.*)$/
/** Every pattern has an end, so that a text with many unclosed marks takes linear time. */
const PIECE =
  /`([^`]{1,500})`|\*\*([^*]{1,500})\*\*|\*([^*\s][^*]{0,500})\*|!?\[([^[\]]{0,500})\]\((https?:[^\s)]{1,2000})[^)]{0,200}\)/g

/**
 * Parses the part of Markdown that articles of ontologies use: headings, paragraphs, lists, code, emphasis, links.
 * Everything else, also markup, stays text.
 */
export function parseProse(text: string): readonly Block[] {
  const [first = '', ...rest] = text.split(/^```.*$/m)
  // Every second part is between two fences, so it is code.
  const fenced = rest.flatMap((part, index): readonly Block[] =>
    index % 2 === 0 ? [{ kind: 'code', text: part.trim() }] : parseOpen(part),
  )
  return [...parseOpen(first), ...fenced]
}

function parseOpen(text: string): readonly Block[] {
  const parts: string[][] = [[]]
  for (const line of text.split('\n')) {
    if (line.trim() === '') parts.push([])
    else if (HEADING.test(line)) parts.push([line], [])
    else parts.at(-1)?.push(line)
  }
  return parts.filter((lines) => lines.length > 0).flatMap(parsePart)
}

function parsePart(lines: readonly string[]): readonly Block[] {
  const heading = HEADING.exec(lines[0] ?? '')?.[1]
  if (heading !== undefined) return [{ kind: 'heading', line: parseLine(heading) }]
  const begins = lines.findIndex((line) => ITEM.test(line))
  if (begins === -1) return [{ kind: 'paragraph', line: parseLine(lines.join(' ').trim()) }]
  const before = lines.slice(0, begins).join(' ').trim()
  return [
    ...(before === '' ? [] : [{ kind: 'paragraph', line: parseLine(before) } as const]),
    parseList(lines.slice(begins)),
  ]
}

function parseList(lines: readonly string[]): Block {
  const items: string[] = []
  for (const line of lines) {
    const item = ITEM.exec(line)?.[2]
    if (item === undefined) items.push(`${items.pop() ?? ''} ${line.trim()}`)
    else items.push(item)
  }
  const isOrdered = ITEM.exec(lines[0] ?? '')?.[1] !== undefined
  return { kind: 'list', isOrdered, items: items.map(parseLine) }
}

export function parseLine(text: string): Line {
  const pieces: Piece[] = []
  let end = 0
  for (const match of text.matchAll(PIECE)) {
    if (match.index > end) pieces.push({ kind: 'text', text: text.slice(end, match.index) })
    pieces.push(pieceOf(match))
    end = match.index + match[0].length
  }
  if (end < text.length) pieces.push({ kind: 'text', text: text.slice(end) })
  return pieces
}

function pieceOf([, code, strong, emphasis, label = '', href = '']: readonly string[]): Piece {
  if (code !== undefined) return { kind: 'code', text: code }
  if (strong !== undefined) return { kind: 'strong', text: strong }
  if (emphasis !== undefined) return { kind: 'emphasis', text: emphasis }
  return { kind: 'link', text: label === '' ? href : label, href }
}
