/** A record in a citation. */
export interface Citation {
  readonly title: string
  /** `D3-FH`; null if it has none. */
  readonly id: string | null
  /** The work that it is part of, with its release: `D3FEND 0.17.0`. */
  readonly work: string
  /** Day of that release: `2024-10-01`; null if it is not known. */
  readonly date: string | null
  /** Its permanent address. */
  readonly address: string
}

/** `File Hashing (D3-FH). D3FEND 0.17.0, 2024-10-01. https://…` */
export function citationText({ title, id, work, date, address }: Citation): string {
  const name = id === null ? title : `${title} (${id})`
  // Titles of rules end with a full stop.
  return `${name.replace(/\.$/, '')}. ${work}${date === null ? '' : `, ${date}`}. ${address}`
}

/** The citation for LaTeX, as an entry that both BibTeX and biblatex read. */
export function citationBibtex({ title, id, work, date, address }: Citation): string {
  const [year, month, day] = date?.split('-') ?? []
  const fields: readonly (readonly [string, string | undefined])[] = [
    // Double braces preserve capital letters.
    ['title', `{${escapeLatex(title)}}`],
    ['number', id === null ? undefined : escapeLatex(id)],
    ['howpublished', escapeLatex(work)],
    ['year', year],
    ['month', month],
    ['day', day],
    ['url', address.replaceAll(/[{}\\]/g, encodeURIComponent)],
  ]
  const lines = fields.flatMap(([name, value]) => (value === undefined ? [] : [`  ${name} = {${value}},`]))
  return [`@misc{${keyOf(id ?? title, work)},`, ...lines, '}'].join('\n')
}

const LATEX: Readonly<Record<string, string>> = {
  '\\': String.raw`\textbackslash{}`,
  '~': String.raw`\textasciitilde{}`,
  '^': String.raw`\textasciicircum{}`,
}

function escapeLatex(text: string): string {
  return text.replaceAll(/[\\{}$&#^_%~]/g, (sign) => LATEX[sign] ?? `\\${sign}`)
}

/** The key has only letters, digits and hyphens, which every program accepts. */
function keyOf(...parts: readonly string[]): string {
  return parts
    .join('-')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}
