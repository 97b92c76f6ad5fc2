import { formatTable } from '../../commands/table.ts'
import { escapeControls, type Style } from '../terminal.ts'
import type { ChangedField, ChangedItem, Comparison } from './changes.ts'
import { compareWords, type TextPart, withoutLongMiddle } from './words.ts'

/** A comment of a pull request may have 65,536 characters; changes that do not fit are only counted. */
const MAX_CHARACTERS = 60_000

/** Titles in tables are cut, so that rows fit on most terminals. */
const MAX_TITLE = 60

/** Shows a comparison on a terminal: a table of what differs, then each text word by word. */
export function showComparison(comparison: Comparison, style: Style): string {
  const { from, to, summary, items } = comparison
  const head = `${style.bold(`${from} → ${to}`)}\n${summary}`
  if (items.length === 0) return head
  const rows = items.map(({ change, names, title, note }) =>
    [change, names[0] ?? '', shortTitle(title), note].map((text) => oneLine(escapeControls(text))),
  )
  const texts = items.flatMap(({ names, title, fields }) => {
    if (fields.length === 0) return []
    const heading = style.bold(escapeControls(oneLine(`${names.join(' ')}: ${title}`)))
    return [[heading, ...fields.map((field) => showField(field, style))].join('\n')]
  })
  return [head, formatTable(['change', 'name', 'title', 'what'], rows), ...texts].join('\n\n')
}

function showField({ field, before, after }: ChangedField, style: Style): string {
  const parts = withoutLongMiddle(compareWords(before, after))
  const text = parts.map((part) => showPart(part, style)).join('')
  return `  ${style.yellow(field)}\n    ${text.replaceAll('\n', '\n    ')}`
}

/** Signs stand for colours that the stream does not show, as `wdiff` writes them. */
function showPart({ kind, text }: TextPart, { red, green, dim, hasColours }: Style): string {
  const escaped = escapeControls(text)
  if (kind === 'same') return dim(escaped)
  if (kind === 'removed') return hasColours ? red(escaped) : `[-${escaped}-]`
  return hasColours ? green(escaped) : `{+${escaped}+}`
}

function shortTitle(title: string): string {
  return title.length > MAX_TITLE ? `${title.slice(0, MAX_TITLE - 1)}…` : title
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}

/** Writes a comparison for the comment of a pull request: a table, and below it the texts word by word. */
export function comparisonAsMarkdown({ from, to, summary, items }: Comparison): string {
  const head = `### ${escape(from)} → ${escape(to)}\n\n${escape(summary)}`
  if (items.length === 0) return head
  const table = ['| Change | Name | Title | What |', '| --- | --- | --- | --- |']
  const pieces = [...items.map(rowOf), ...items.flatMap(detailsOf)]
  const fitting: string[] = []
  let length = head.length + table.join('\n').length
  for (const piece of pieces) {
    length += piece.length + 2
    if (length > MAX_CHARACTERS) break
    fitting.push(piece)
  }
  const rows = fitting.slice(0, items.length)
  const details = fitting.slice(items.length)
  const omitted = pieces.length - fitting.length
  const omittedNote =
    omitted === 0 ? [] : [`${omitted} rows and texts more do not fit here: \`parapet diff --json\` has them all.`]
  return [head, [...table, ...rows].join('\n'), ...details, ...omittedNote].join('\n\n')
}

function rowOf({ change, names: [name = ''], title, note }: ChangedItem): string {
  return `| ${change} | ${[name, title, note].map((text) => escape(text)).join(' | ')} |`
}

/** HTML, because Markdown cannot mark removed and added words next to each other. */
function detailsOf({ names, title, fields }: ChangedItem): readonly string[] {
  if (fields.length === 0) return []
  const summary = `<summary>${inHtml(`${names.join(' ')}: ${title}`)}</summary>`
  return [`<details>${summary}\n\n${fields.map(fieldOf).join('\n\n')}\n\n</details>`]
}

function fieldOf({ field, before, after }: ChangedField): string {
  const parts = withoutLongMiddle(compareWords(before, after)).map(({ kind, text }) => {
    const escaped = inHtml(text)
    if (kind === 'same') return escaped
    return kind === 'removed' ? `<del>${escaped}</del>` : `<ins>${escaped}</ins>`
  })
  // Blank lines would end the HTML block.
  return `<strong>${inHtml(field)}</strong><br>${parts.join('').replaceAll('\n', '<br>')}`
}

function inHtml(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  // Escapes Markdown and names of GitHub accounts, which are read also between tags.
  return text
    .replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? sign)
    .replaceAll(/[*`[\]\\~|@#]|(?<!\w)_|_(?!\w)/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

function escape(text: string): string {
  return inHtml(text.replaceAll(/\s+/g, ' '))
}
