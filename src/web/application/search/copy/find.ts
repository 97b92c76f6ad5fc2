/** A record of the index of a copy: kind, name, identifier, label, other names, text, 1 if deprecated. */
export type IndexedRow = readonly [string, string, string, string, string, string, 1?]

export interface IndexedRecord {
  readonly kind: string
  /** `d3f:FileAnalysis` */
  readonly name: string
  readonly id: string
  readonly label: string
  readonly text: string
  readonly isDeprecated: boolean
  /** Searched texts in lower case, the most important first. */
  readonly fields: readonly string[]
}

/** Weights of a word in the label, in other names, and in the text. */
const WEIGHTS = [8, 4, 1] as const
const WHOLE_WORD = 2
const IDENTIFIER = 100
const WHOLE_LABEL = 50

export function readIndex(rows: readonly IndexedRow[]): readonly IndexedRecord[] {
  return rows.map(([kind, name, id, label, others, text, deprecated]) => ({
    kind,
    name,
    id,
    label,
    text,
    isDeprecated: deprecated === 1,
    fields: [label, others, text].map(plainText),
  }))
}

/** Records in which all words of a query begin a word. The best come first, deprecated ones last. */
export function findIn(records: readonly IndexedRecord[], question: string): readonly IndexedRecord[] {
  const text = plainText(question).trim()
  const words = text.split(/\s+/).filter((word) => word !== '')
  if (words.length === 0) return []
  const patterns = words.map((word) => new RegExp(`(?<![\\p{L}\\p{N}])${literalPattern(word)}`, 'gu'))
  return records
    .map((record) => ({ record, score: namedScore(record, text) + wordScore(record, patterns) }))
    .filter(({ score }) => score > 0)
    .sort(
      (a, b) =>
        Number(a.record.isDeprecated) - Number(b.record.isDeprecated) ||
        b.score - a.score ||
        (a.record.label < b.record.label ? -1 : 1),
    )
    .map(({ record }) => record)
}

function namedScore({ id, name, fields }: IndexedRecord, text: string): number {
  const names = [plainText(id), plainText(name), plainText(name).replace(/^[^:]*:/, '')]
  if (names.includes(text)) return IDENTIFIER
  if (id !== '' && plainText(id).startsWith(text)) return WHOLE_LABEL / 2
  return fields[0] === text ? WHOLE_LABEL : 0
}

/** 0 unless the record has all words. */
function wordScore({ fields }: IndexedRecord, patterns: readonly RegExp[]): number {
  const scores = patterns.map((pattern) => {
    const scoresOfFields = fields.map((field, index) => scoreIn(field, pattern) * (WEIGHTS[index] ?? 0))
    return Math.max(...scoresOfFields)
  })
  return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0)
}

function scoreIn(field: string, pattern: RegExp): number {
  let score = 0
  for (const { 0: word, index } of field.matchAll(pattern)) {
    if (!/[\p{L}\p{N}]/u.test(field[index + word.length] ?? '')) return WHOLE_WORD
    score = 1
  }
  return score
}

/** Lower case, without accents. */
function plainText(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

function literalPattern(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')
}
