import type { DialectName } from '../dialect.ts'
import { entryOf, vectorOf, type WordEntry, type IndexedTexts } from './entry.ts'
import { rowOf, textsOf, type NewRule } from './rule-texts.ts'

/** Entries as JSON, which both databases can read row by row. */
export interface ReadyWords {
  /** An array of `{key, title, names, texts}` for SQLite, of `{key, title, names, words}` for PostgreSQL. */
  readonly entries: string
  /** An array of the words in titles, in lower case, without duplicates. */
  readonly titleWords: string
}

const SPELT = /[\p{L}\p{N}]{3,40}/gu

type KeyedTexts = IndexedTexts & { readonly key: string | number }

export function readyEntries(dialect: DialectName, records: readonly KeyedTexts[]): string {
  const columns = dialect === 'sqlite' ? spaced : vectors
  return JSON.stringify(records.map((record) => ({ key: record.key, ...columns(entryOf(record)) })))
}

export function readyTitleWords(titles: readonly string[]): string {
  const words = titles.flatMap((title) => title.toLowerCase().match(SPELT) ?? [])
  return JSON.stringify([...new Set(words)])
}

/** For rules that are still to be stored; the keys are their ids within the benchmark. */
export function readyRuleWords(
  dialect: DialectName,
  rules: readonly NewRule[],
  benchmarkTitle: string,
): ReadyWords {
  return {
    entries: readyEntries(
      dialect,
      rules.map((rule) => ({ key: rule.ruleId, ...textsOf(rowOf(rule, benchmarkTitle)) })),
    ),
    titleWords: readyTitleWords(rules.map(({ title }) => title)),
  }
}

function spaced({ title, names, texts }: WordEntry): Readonly<Record<string, string>> {
  return { title: title.join(' '), names: names.join(' '), texts: texts.join(' ') }
}

function vectors({ title, names, texts }: WordEntry): Readonly<Record<string, string>> {
  const words = vectorOf(title, names, texts)
  return { title: vectorOf(title), names: vectorOf(names), words }
}
