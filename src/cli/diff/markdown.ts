import type { ChangedField, ChangedItem, Comparison } from './changes.ts'
import { compareWords, withoutLongMiddle } from './words.ts'

/** A comment of a pull request may have 65,536 characters; changes that do not fit are only counted. */
const MAX_CHARACTERS = 60_000

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
  const left = pieces.length - fitting.length
  const rest = left === 0 ? [] : [`${left} rows and texts more do not fit here: \`parapet diff --json\` has them all.`]
  return [head, [...table, ...rows].join('\n'), ...details, ...rest].join('\n\n')
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
    const shown = inHtml(text)
    if (kind === 'same') return shown
    return kind === 'removed' ? `<del>${shown}</del>` : `<ins>${shown}</ins>`
  })
  // Blank lines would end the HTML block.
  return `<strong>${inHtml(field)}</strong><br>${parts.join('').replaceAll('\n', '<br>')}`
}

function inHtml(text: string): string {
  const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  // Escapes Markdown and names of GitHub accounts, which are read also between tags.
  return text
    .replaceAll(/[&<>"]/g, (sign) => named[sign] ?? sign)
    .replaceAll(/[*`[\]\\~|@#]|(?<!\w)_|_(?!\w)/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

function escape(text: string): string {
  return inHtml(text.replaceAll(/\s+/g, ' '))
}
