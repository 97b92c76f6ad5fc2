import type { ReferenceRecord, ReferenceText } from '../../contracts/search-feed.ts'
import type { OntologyContent, OntologyDocument } from '../../contracts/sources.ts'
import { append } from '../../platform/append.ts'

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

/** Knowledge that needs no release. */
export interface Knowledge {
  readonly ccis: readonly string[]
  readonly controlsOf: (cci: string) => readonly string[]
  /** By id. */
  readonly controlNames: ReadonlyMap<string, string>
  /** Short and long forms: `MFA`, `Multi-Factor Authentication`. */
  readonly abbreviations: readonly (readonly [string, string])[]
}

/**
 * The documents of the release with their descriptions in reference data, then the records that only reference data
 * has.
 */
export function describedRecords(
  content: OntologyContent | null,
  reference: readonly ReferenceRecord[],
): readonly OntologyRecord[] {
  const byId = new Map(reference.map((record) => [`${record.kind} ${record.id}`, record]))
  const documents = content?.documents ?? []
  const tactics = new Map(
    documents.flatMap((document) => (document.kind === 'tactic' ? [[document.id, document]] : [])),
  )
  const usedRecords = new Set<ReferenceRecord>()
  const records = documents.map((document) => {
    const reference = byId.get(`${document.kind} ${document.id ?? ''}`)
    if (reference !== undefined) usedRecords.add(reference)
    return describedRecord(document, reference)
  })
  const others = reference.filter((record) => !usedRecords.has(record))
  return [...records, ...others.map((record) => recordOfReference(record, tactics))]
}

/** Lists all properties, because V8 makes a hidden class for each object that is made by spreading. */
function describedRecord(document: OntologyDocument, reference: ReferenceRecord | undefined): OntologyRecord {
  const { kind, iri, name, id, label, synonyms, text, tactics, domain, deprecated, successors } = document
  return {
    kind,
    iri,
    name,
    id,
    label,
    synonyms:
      reference === undefined || reference.synonyms.length === 0
        ? synonyms
        : [...new Set([...synonyms, ...reference.synonyms])],
    text,
    tactics,
    domain,
    deprecated: deprecated || reference?.deprecated === true,
    successors,
    reference: reference === undefined ? null : { texts: reference.texts, path: reference.path },
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
export function knownControls(
  described: readonly OntologyRecord[],
  { ccis, controlsOf, controlNames }: Knowledge,
): readonly OntologyRecord[] {
  const describedIds = new Set(described.map(({ id }) => id))
  const controls = new Map<string, string[]>()
  const missing: OntologyRecord[] = []
  for (const cci of ccis) {
    if (!describedIds.has(cci)) {
      const ownControls = controlsOf(cci).map(controlId)
      missing.push(bareRecord({ kind: 'cci', id: cci, label: cci }, ownControls))
    }
    for (const control of controlsOf(cci)) for (const id of ancestorsOf(control)) append(controls, id, cci)
  }
  for (const [control, ccis] of controls)
    if (!describedIds.has(control)) {
      missing.push(bareRecord({ kind: 'control', id: control, label: controlNames.get(control) ?? control }, ccis))
    }
  return missing
}

/** `AC-2 (1)` → `AC-2(1)`, `AC-1 a 1` → `AC-1a1`: ids as the ontology writes them. */
export function controlId(text: string): string {
  return text.replaceAll(' ', '')
}

const EMPTY: readonly never[] = []

/** Lists all properties, because V8 would make a hidden class for each of thousands of spread objects. */
function bareRecord(
  { kind, id, label }: Pick<OntologyRecord, 'kind' | 'id' | 'label'>,
  otherNames: readonly string[],
): OntologyRecord {
  return {
    kind,
    iri: null,
    name: null,
    id,
    label,
    synonyms: EMPTY,
    text: otherNames.join(', '),
    tactics: EMPTY,
    domain: null,
    deprecated: false,
    successors: EMPTY,
    reference: null,
  }
}

/** `AC-2 (1) a` → `AC-2`, `AC-2(1)`, `AC-2(1)a`. */
export function ancestorsOf(control: string): readonly string[] {
  const steps = control.split(' ')
  return steps.map((_, index) => steps.slice(0, index + 1).join(''))
}
