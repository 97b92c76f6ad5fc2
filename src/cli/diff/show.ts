import { formatTable } from '../../commands/table.ts'
import { escapeControls, type Style } from '../terminal.ts'
import type { ChangedField, Comparison } from './changes.ts'
import { compareWords, withoutLongMiddle, type TextPart } from './words.ts'

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
  const shown = escapeControls(text)
  if (kind === 'same') return dim(shown)
  if (kind === 'removed') return hasColours ? red(shown) : `[-${shown}-]`
  return hasColours ? green(shown) : `{+${shown}+}`
}

function shortTitle(title: string): string {
  return title.length > MAX_TITLE ? `${title.slice(0, MAX_TITLE - 1)}…` : title
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}
