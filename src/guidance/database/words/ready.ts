import type { DialectName } from '../dialect.ts'
import { entryOf, vectorOf, type WordEntry, type IndexedTexts } from './entry.ts'
import { rowOf, textsOf, type NewRule } from './rule-texts.ts'

/** Words as the statements of `write.ts` take them: JSON, which either database reads row by row. */
export interface ReadyWords {
  /** Of `{key, title, names, texts}` in SQLite, of `{key, title, names, words}` in PostgreSQL. */
  readonly entries: string
  /** Of strings, without repetition: words in titles as they are written, in lower case. */
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

/** Of rules that are still to be stored; their keys are their ids within the benchmark. */
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
