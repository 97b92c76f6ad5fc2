import { append } from '../../platform/append.ts'
import { nameOf, wordsOf } from '../../platform/words.ts'
import type { OntologyRecord } from './ontology-records.ts'
import { isShortForm } from './written-words.ts'

/** A synonym or abbreviation of a run of words. */
export interface Alternative {
  readonly text: string
  readonly words: readonly string[]
  readonly because: 'synonym' | 'abbreviation'
}

/** A label or synonym of a record. */
export interface Title {
  readonly record: OntologyRecord
  readonly text: string
  /** In lower case, with a blank before each word: `multi-factor`, `multi factor`, `multifactor`. */
  readonly forms: readonly string[]
  /** The id of the record, as `nameOf` writes it. */
  readonly name: string
}

const MAX_RUN_LENGTH = 8

/** Collects the names and words of records, one record at a time. */
export class IndexBuilder {
  #count = 0
  readonly names = new Map<string, number[]>()
  readonly byIri = new Map<string, number>()
  readonly byLabel = new Map<string, number[]>()
  readonly alternatives = new Map<string, Alternative[]>()
  readonly spellings = new Map<string, number>()
  readonly titles: Title[] = []

  add(record: OntologyRecord): void {
    const number = this.#count
    this.#count += 1
    if (record.iri !== null) this.byIri.set(record.iri, number)
    for (const name of namesOf(record)) append(this.names, name, number)
    for (const text of [record.label, ...record.synonyms, ...record.tactics.map(({ label }) => label)])
      this.addSpellings(text)
    for (const name of [record.label, ...otherNames(record)]) append(this.byLabel, wordsOf(name).join(' '), number)
    for (const synonym of record.synonyms) {
      this.#addAlternative(record.label, synonym, 'synonym')
      this.#addAlternative(synonym, record.label, 'synonym')
    }
    for (const pair of statedAbbreviations(`${record.label}. ${record.text}`)) this.addAbbreviation(pair)
    const name = nameOf(record.id ?? '')
    for (const text of [record.label, ...record.synonyms])
      this.titles.push({ record, text, forms: formsOf(` ${text.toLowerCase()}`), name })
  }

  /** Makes each of these names a synonym of the others. */
  addSynonyms(names: readonly string[]): void {
    for (const from of names) for (const to of names) this.#addAlternative(from, to, 'synonym')
  }

  /** Adds only the long form: a person who types the long word does not mean the short one. */
  addShortForm(short: string, long: string): void {
    this.#addAlternative(short, long, 'abbreviation')
  }

  /** Adds only the term for the everyday word: a person who types the term does not mean the word. */
  addEverydayTerm(everydayWord: string, term: string): void {
    this.#addAlternative(everydayWord, term, 'synonym')
  }

  addAbbreviation([short, long]: readonly [string, string]): void {
    this.#addAlternative(short, long, 'abbreviation')
    this.#addAlternative(long, short, 'abbreviation')
    this.addSpellings(long)
  }

  addSpellings(text: string): void {
    for (const word of spellingsOf(text)) this.spellings.set(word, (this.spellings.get(word) ?? 0) + 1)
  }

  #addAlternative(from: string, text: string, listedAs: Alternative['because']): void {
    const because = isShortForm(from, text) ? 'abbreviation' : listedAs
    const words = wordsOf(text)
    const shortWords = wordsOf(from)
    if (words.length === 0 || shortWords.length === 0 || shortWords.length > MAX_RUN_LENGTH) return
    const key = shortWords.join(' ')
    const alternatives = this.alternatives.get(key) ?? []
    if (words.join(' ') === key || alternatives.some((alternative) => alternative.words.join() === words.join())) return
    append(this.alternatives, key, { text, words, because })
  }
}

function formsOf(text: string): readonly string[] {
  return text.includes('-') ? [text, text.replaceAll('-', ' '), text.replaceAll('-', '')] : [text]
}

/** Words of at least four letters, in lower case and not stemmed. */
export function spellingsOf(text: string): readonly string[] {
  const humps = text.replace(/([a-z])(?=[A-Z][a-z])/g, '$1 ')
  return (humps.toLowerCase().match(/\p{L}+/gu) ?? []).filter((word) => word.length > 3)
}

/** Synonyms, and the quoted name in brackets of a CWE label: `('Path Traversal')`. */
export function otherNames({ label, synonyms }: OntologyRecord): readonly string[] {
  const [, quoted] = /\('([^']+)'\)/.exec(label) ?? []
  return quoted === undefined ? synonyms : [...synonyms, quoted]
}

/** As `nameOf` writes them: the id, `D3-AL`, and the local name, `d3f:AccountLocking` → `accountlocking`. */
export function namesOf({ id, name }: OntologyRecord): readonly string[] {
  const names = [id ?? '', name?.replace(/^\w+:/, '') ?? '']
  return [...new Set(names.map(nameOf))].filter((spelling) => spelling !== '')
}

/** Abbreviations that a text explains: `Cross-Site Request Forgery (CSRF)`. */
function statedAbbreviations(text: string): readonly (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = []
  for (const { 1: short = '', index } of text.matchAll(/\(([A-Z][A-Za-z0-9]{1,6})\)/g)) {
    const before = text
      .slice(Math.max(0, index - 120), index)
      .trim()
      .split(/[\s-]+/)
    const long = before.slice(-short.length)
    const initials = long.map((word) => word[0] ?? '').join('')
    if (initials.toLowerCase() === short.toLowerCase()) pairs.push([short, long.join(' ')])
  }
  return pairs
}
