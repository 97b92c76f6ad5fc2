import type { FeedRecord, RecordOwner } from '../../contracts/search-feed.ts'
import { nameOf, readText, wordsOf } from '../../platform/words.ts'
import { findingsOf } from '../knowledge/checker-findings.ts'
import { namesOf, otherNames, spellingsOf } from '../knowledge/ontology-index-builder.ts'
import type { OntologyRecord } from '../knowledge/ontology-records.ts'
import type { FieldName, Section } from './fields.ts'
import { keyOf, severityNumber } from './keys.ts'
import { ownerNumber, SPELLING_PREFIX } from './library.ts'
import { productWords } from './product-words.ts'
import type { IndexedRecord } from './segment-builder.ts'

/** A record of guidance, and the benchmark or component that it belongs to. */
export function indexedRecord(record: FeedRecord, owner: RecordOwner): IndexedRecord {
  const { kind, id, title, names, cites, fixes, checks, texts, context, severity } = record
  return {
    key: keyOf(kind, id),
    owner: ownerNumber(owner),
    severity: severityNumber(severity),
    fold: foldOf(record, owner),
    // Citations come first, because `firstSection` reads only the beginning of a text.
    sections: [
      nameSection('cited', cites),
      nameSection('names', names),
      textSection('title', title),
      { field: 'title', words: [], compounds: spellingsOf(title).map((word) => SPELLING_PREFIX + word) },
      ...fixes.map((text) => textSection('fix', text)),
      ...checks.map((text) => textSection('check', text)),
      ...texts.map((text) => textSection('text', text)),
      textSection('context', context),
    ],
  }
}

/** Indexes the rules of a benchmark. Rules are folded only if their titles differ in nothing but the product name. */
export function indexedRules(records: readonly FeedRecord[], owner: RecordOwner): readonly IndexedRecord[] {
  const products = productsOf(owner)
  const exact = records.map(({ title }) => exactTitle(title, products))
  const indexed = records.map((record) => indexedRecord(record, owner))
  const titles = new Map<number, Set<string>>()
  for (const [index, { fold }] of indexed.entries())
    titles.set(fold, (titles.get(fold) ?? new Set()).add(exact[index] ?? ''))
  return indexed.map((record, index) => {
    const isAmbiguous = (titles.get(record.fold)?.size ?? 0) > 1
    return isAmbiguous ? { ...record, fold: hashOf(`${record.fold} ${exact[index]}`) } : record
  })
}

/** A record of the ontology by its place among all. */
export function indexedDocument(record: OntologyRecord, index: number): IndexedRecord {
  const { kind, id, label, text, tactics, reference } = record
  const key = keyOf(kind, index)
  return {
    key,
    owner: 0,
    severity: 0,
    fold: 0,
    sections: [
      { field: 'names', words: namesOf(record), compounds: [] },
      // A control that is only in the list has its id as its label.
      ...(label === id ? [] : [textSection('title', label)]),
      ...otherNames(record).map((name) => textSection('synonym', name)),
      textSection('text', text),
      ...referenceSections(reference),
      textSection('finding', findingsOf(id)),
      ...tactics.map((tactic) => textSection('context', tactic.label)),
    ],
  }
}

const REFERENCE_FIELDS = ['definition', 'procedure', 'observed'] as const

/** One section for each field, so that hundreds of examples count as one long text. */
function referenceSections(reference: OntologyRecord['reference']): readonly Section[] {
  if (reference === null) return []
  return REFERENCE_FIELDS.flatMap((field) => {
    const texts = reference.texts.filter((text) => text.field === field)
    return texts.length === 0 ? [] : [textSection(field, texts.map(({ text }) => text).join('\n'))]
  })
}

function textSection(field: FieldName, text: string): Section {
  const { words, compounds } = readText(text)
  return { field, words, compounds: [...new Set(compounds)] }
}

function nameSection(field: FieldName, names: readonly string[]): Section {
  return { field, words: [...new Set(names.map(nameOf))].filter((name) => name !== ''), compounds: [] }
}

/** Equal for titles that differ only in the product name; 0 for authored rules, which are not folded. */
function foldOf({ kind, title }: FeedRecord, owner: RecordOwner): number {
  if (owner.benchmark === null) return 0
  const products = productsOf(owner)
  const words = wordsOf(title).filter((word) => !products.has(word) && !/^\d+$/.test(word))
  return hashOf(`${kind} ${words.join(' ')}`)
}

function productsOf({ title, names }: RecordOwner): ReadonlySet<string> {
  return new Set([title, ...names].flatMap(productWords))
}

/** The title with numbers and signs, without product names and quotes. */
function exactTitle(title: string, products: ReadonlySet<string>): string {
  const pieces = title
    .toLowerCase()
    .replace(/["'“”‘’()]|[.,:;](?=\s|$)/g, '')
    .split(/\s+/)
  return pieces.filter((piece) => !isOfProduct(wordsOf(piece), products)).join(' ')
}

function isOfProduct(words: readonly string[], products: ReadonlySet<string>): boolean {
  return words.length > 0 && words.every((word) => products.has(word))
}

/** FNV-1a. Never 0. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0
  return hash === 0 ? 1 : hash
}
