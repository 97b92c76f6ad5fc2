import type { ReferenceRecord } from '../../contracts/search-feed.ts'
import type { ControlLink, OntologyContent } from '../../contracts/sources.ts'
import { append } from '../../platform/append.ts'
import { Pauses } from '../../platform/concurrency/turns.ts'
import { keyOf } from '../index/keys.ts'
import { IndexBuilder, type Alternative, type Title } from './ontology-index-builder.ts'
import {
  ancestorsOf,
  controlId,
  describedRecords,
  knownControls,
  type Knowledge,
  type OntologyRecord,
} from './ontology-records.ts'
import { EVERYDAY_TERMS, SHORTENED, THESAURUS } from './thesaurus.ts'
import { writtenWord, type WrittenWords } from './written-words.ts'

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
    deprecated: new Set(records.flatMap(({ deprecated, kind }, index) => (deprecated ? [keyOf(kind, index)] : []))),
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

function countAt(counts: readonly number[]): (index: number) => number {
  return (index) => counts[index] ?? 0
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

/** A CCI belongs to its control and to all ancestors of the control. */
function ccisByControl({ ccis, controlsOf }: Knowledge): ReadonlyMap<string, readonly string[]> {
  const cciIds = new Map<string, string[]>()
  for (const cci of ccis) {
    for (const id of new Set(controlsOf(cci).flatMap(ancestorsOf))) append(cciIds, id, cci)
  }
  return cciIds
}
