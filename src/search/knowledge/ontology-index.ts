import type { ReferenceRecord, ReferenceText } from '../../contracts/search-feed.ts'
import type { ControlLink, OntologyContent, OntologyDocument } from '../../contracts/sources.ts'
import { append } from '../../platform/append.ts'
import { Pauses } from '../../platform/concurrency/turns.ts'
import { nameOf, wordsOf } from '../../platform/words.ts'
import { keyOf } from '../index/keys.ts'
import { EVERYDAY_TERMS, SHORTENED, THESAURUS } from './thesaurus.ts'
import { isShortForm, writtenWord, type WrittenWords } from './written-words.ts'

/** A record of the ontology or of reference data. Records that only reference data has have no IRI. */
export type OntologyRecord = Omit<OntologyDocument, 'iri' | 'name'> & {
  readonly iri: string | null
  readonly name: string | null
  readonly reference: Reference | null
}

/** The description of a record in reference data. */
export interface Reference {
  readonly texts: readonly ReferenceText[]
  /** Path of its JSON document. */
  readonly path: string
}

/** A synonym or abbreviation of a run of words. */
export interface Alternative {
  readonly text: string
  readonly words: readonly string[]
  readonly because: 'synonym' | 'abbreviation'
}

/** A release of the ontology, ready to be searched. */
export interface OntologyIndex {
  /** Null where no release is open; CCIs, controls and abbreviations are known even then. */
  readonly release: { readonly version: string; readonly digest: string } | null
  readonly records: readonly OntologyRecord[]
  /** Records by every name, as `nameOf` writes it. */
  readonly names: ReadonlyMap<string, readonly number[]>
  /** By IRI. */
  readonly byIri: ReadonlyMap<string, number>
  /** Keys of the records that are deprecated. */
  readonly deprecated: ReadonlySet<number>
  /** Records by label and synonym, as stemmed words joined by blanks. */
  readonly byLabel: ReadonlyMap<string, readonly number[]>
  /** By stemmed words joined by blanks. */
  readonly alternatives: ReadonlyMap<string, readonly Alternative[]>
  /** Links to techniques, by the id of the control or CCI. */
  readonly links: ReadonlyMap<string, readonly ControlLink[]>
  /** Ids of the CCIs of a control and its parts, by its id. */
  readonly ccis: ReadonlyMap<string, readonly string[]>
  /** Ids of the controls of a CCI, by its id. */
  readonly controls: ReadonlyMap<string, readonly string[]>
  /** Ids of the CCIs that are linked to a technique, by its IRI. */
  readonly ccisOfTechniques: ReadonlyMap<string, readonly string[]>
  /** Words as they are written, for spelling help, and how often names have them. */
  readonly spellings: ReadonlyMap<string, number>
  readonly writtenWords: WrittenWords
  /** Labels and synonyms to suggest. */
  readonly titles: readonly Title[]
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

/** Knowledge that needs no release. */
export interface Knowledge {
  readonly ccis: readonly string[]
  readonly controlsOf: (cci: string) => readonly string[]
  /** By id. */
  readonly controlNames: ReadonlyMap<string, string>
  /** Short and long forms: `MFA`, `Multi-Factor Authentication`. */
  readonly abbreviations: readonly (readonly [string, string])[]
}

const MAX_RUN_LENGTH = 8

/** Indexes all documents, with pauses for other work. */
export async function indexOntology(
  content: OntologyContent | null,
  reference: readonly ReferenceRecord[],
  knowledge: Knowledge,
): Promise<OntologyIndex> {
  const described = describedRecords(content, reference)
  const records = [...described, ...knownControls(described, knowledge)]
  const builder = new IndexBuilder()
  const pauses = new Pauses()
  for (const record of records) {
    builder.add(record)
    await pauses.rest()
  }
  for (const pair of knowledge.abbreviations) builder.addAbbreviation(pair)
  addThesaurus(builder)
  const { names, byIri, byLabel, alternatives, spellings, titles } = builder
  return {
    release: content && { version: content.version, digest: content.digest },
    records,
    names,
    byIri,
    deprecated: new Set(records.flatMap(({ deprecated, kind }, place) => (deprecated ? [keyOf(kind, place)] : []))),
    byLabel,
    alternatives,
    spellings,
    titles,
    writtenWords: {
      words: Array.from(spellings.keys(), writtenWord),
      countOf: countAt([...spellings.values()]),
    },
    ...linksOf(content),
    ccis: ccisByControl(knowledge),
    controls: new Map(knowledge.ccis.map((cci) => [cci, knowledge.controlsOf(cci).map(controlId)])),
  }
}

function addThesaurus(builder: IndexBuilder): void {
  for (const names of THESAURUS) builder.addSynonyms(names)
  for (const [short = '', long = ''] of SHORTENED) builder.addShortForm(short, long)
  for (const [everydayWord = '', term = ''] of EVERYDAY_TERMS) builder.addEverydayTerm(everydayWord, term)
}

function countAt(counts: readonly number[]): (place: number) => number {
  return (place) => counts[place] ?? 0
}

function linksOf(content: OntologyContent | null): Pick<OntologyIndex, 'links' | 'ccisOfTechniques'> {
  const links = new Map<string, ControlLink[]>()
  const ccisOfTechniques = new Map<string, string[]>()
  for (const link of content?.links ?? []) {
    append(links, link.control, link)
    if (link.kind === 'cci') append(ccisOfTechniques, link.technique, link.control)
  }
  return { links, ccisOfTechniques }
}

/** `AC-2 (1) a` → `AC-2`, `AC-2(1)`, `AC-2(1)a`. */
function ancestorsOf(control: string): readonly string[] {
  const steps = control.split(' ')
  return steps.map((_, index) => steps.slice(0, index + 1).join(''))
}

/** A CCI belongs to its control and to all ancestors of the control. */
function ccisByControl({ ccis, controlsOf }: Knowledge): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const cci of ccis) {
    for (const id of new Set(controlsOf(cci).flatMap(ancestorsOf))) append(found, id, cci)
  }
  return found
}

/**
 * The documents of the release with their descriptions in reference data, then the records that only reference data
 * has.
 */
function describedRecords(
  content: OntologyContent | null,
  reference: readonly ReferenceRecord[],
): readonly OntologyRecord[] {
  const byId = new Map(reference.map((record) => [`${record.kind} ${record.id}`, record]))
  const documents = content?.documents ?? []
  const tactics = new Map(
    documents.flatMap((document) => (document.kind === 'tactic' ? [[document.id, document]] : [])),
  )
  const known = new Set<ReferenceRecord>()
  const records = documents.map((document) => {
    const own = byId.get(`${document.kind} ${document.id ?? ''}`)
    if (own !== undefined) known.add(own)
    return describedRecord(document, own)
  })
  const others = reference.filter((record) => !known.has(record))
  return [...records, ...others.map((record) => recordOfReference(record, tactics))]
}

/** Lists all properties, because V8 makes a hidden class for each object that is made by spreading. */
function describedRecord(document: OntologyDocument, own: ReferenceRecord | undefined): OntologyRecord {
  const { kind, iri, name, id, label, synonyms, text, tactics, domain, deprecated, successors } = document
  return {
    kind,
    iri,
    name,
    id,
    label,
    synonyms: own === undefined || own.synonyms.length === 0 ? synonyms : [...new Set([...synonyms, ...own.synonyms])],
    text,
    tactics,
    domain,
    deprecated: deprecated || own?.deprecated === true,
    successors,
    reference: own === undefined ? null : { texts: own.texts, path: own.path },
  }
}

function recordOfReference(
  record: ReferenceRecord,
  tacticsById: ReadonlyMap<string | null, OntologyDocument>,
): OntologyRecord {
  const { kind, id, label, synonyms, tactics, domain, deprecated, texts, path } = record
  return {
    kind,
    iri: null,
    name: null,
    id,
    label,
    synonyms,
    text: '',
    tactics: tactics.flatMap((tactic) => tacticsById.get(tactic) ?? []),
    domain,
    deprecated,
    successors: EMPTY,
    reference: { texts, path },
  }
}

/** CCIs and controls that only the list in `data/controls` has. */
function knownControls(
  described: readonly OntologyRecord[],
  { ccis, controlsOf, controlNames }: Knowledge,
): readonly OntologyRecord[] {
  const known = new Set(described.map(({ id }) => id))
  const controls = new Map<string, string[]>()
  const missing: OntologyRecord[] = []
  for (const cci of ccis) {
    if (!known.has(cci)) {
      const own = controlsOf(cci).map(controlId)
      missing.push(bareRecord({ kind: 'cci', id: cci, label: cci }, own))
    }
    for (const control of controlsOf(cci)) for (const id of ancestorsOf(control)) append(controls, id, cci)
  }
  for (const [control, own] of controls)
    if (!known.has(control)) {
      missing.push(bareRecord({ kind: 'control', id: control, label: controlNames.get(control) ?? control }, own))
    }
  return missing
}

/** `AC-2 (1)` → `AC-2(1)`, `AC-1 a 1` → `AC-1a1`: ids as the ontology writes them. */
function controlId(text: string): string {
  return text.replaceAll(' ', '')
}

const EMPTY: readonly never[] = []

/** Lists all properties, because V8 would make a hidden class for each of thousands of spread objects. */
function bareRecord(
  { kind, id, label }: Pick<OntologyRecord, 'kind' | 'id' | 'label'>,
  others: readonly string[],
): OntologyRecord {
  return {
    kind,
    iri: null,
    name: null,
    id,
    label,
    synonyms: EMPTY,
    text: others.join(', '),
    tactics: EMPTY,
    domain: null,
    deprecated: false,
    successors: EMPTY,
    reference: null,
  }
}

class IndexBuilder {
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
    for (const text of [record.label, ...record.synonyms, ...record.tactics.map(labelOf)]) this.addSpellings(text)
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
    const own = wordsOf(from)
    if (words.length === 0 || own.length === 0 || own.length > MAX_RUN_LENGTH) return
    const key = own.join(' ')
    const known = this.alternatives.get(key) ?? []
    if (words.join(' ') === key || known.some((one) => one.words.join() === words.join())) return
    append(this.alternatives, key, { text, words, because })
  }
}

function formsOf(text: string): readonly string[] {
  return text.includes('-') ? [text, text.replaceAll('-', ' '), text.replaceAll('-', '')] : [text]
}

function labelOf({ label }: { readonly label: string }): string {
  return label
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
  return [...new Set(names.map(nameOf))].filter((one) => one !== '')
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
