import type { GuidanceMatch, Meaning } from '../contracts/sources.ts'
import { nameOf } from '../platform/words.ts'
import type { Candidate, Candidates } from './candidates.ts'
import type { OntologyIndex } from './ontology-index.ts'
import { possibleNames, type ParsedQuery, type PossibleName } from './query.ts'

interface NameSearch {
  readonly index: OntologyIndex
  readonly candidates: Candidates
  /** Rules and components by their names. */
  readonly ask: (wanted: Meaning) => Promise<readonly GuidanceMatch[]>
}

/** How closely a record is related to a named one: as its part, by citing it, by a link. */
const CLOSE = { part: 0.8, citing: 0.6, linked: 2.5, above: 0.5, implementing: 0.5, called: 0.5 }
/** CCIs of the named records whose rules are searched for. */
const MOST_CCIS = 40
/** Too many ids begin with fewer characters. */
const SHORTEST_BEGINNING = 6

/** Finds the records that a query names, and those related to them. */
export async function findByName(query: ParsedQuery, search: NameSearch): Promise<void> {
  const names = possibleNames(query)
  if (names.length === 0) return
  const called = ontologyCalled(query, search)
  const records = [...names.flatMap((name) => ontologyNamed(name, search)), ...called]
  const matches = await search.ask(wantedOf(names.map(({ name }) => name)))
  for (const match of matches) noteMatch(match, names, search)
  if (records.length === 0 && matches.length === 0) await byBeginning(names[0], search)
  for (const { name, share } of names) notePartsOf(name, share, search)
  for (const { source } of called)
    if (source.of === 'ontology') notePartsOf(nameOf(source.record.id ?? ''), 1, search)
  await noteLinks(records, search)
}

/** Records whose label or synonym is the whole query. */
function ontologyCalled(
  query: ParsedQuery,
  { index, candidates }: NameSearch,
): readonly Candidate[] {
  const words = query.tokens.flatMap((token) => token.words).join(' ')
  return (index.called.get(words) ?? []).flatMap((number) => {
    const candidate = candidates.ofOntology(index, number)
    if (candidate === null) return []
    candidate.isCalled = true
    return [candidate]
  })
}

function wantedOf(names: readonly string[]): Meaning {
  return { ways: names.map((name) => ({ words: [name], prefix: false })) }
}

function ontologyNamed(
  { name, share }: PossibleName,
  { index, candidates }: NameSearch,
): readonly Candidate[] {
  const found: Candidate[] = []
  for (const number of index.names.get(name) ?? []) {
    const candidate = candidates.ofOntology(index, number)
    if (candidate === null) continue
    candidate.named = Math.max(candidate.named, share)
    found.push(candidate)
  }
  return found
}

/** Adds the parts of a record: `AC-2(1)` of `AC-2`, `T1110.001` of `T1110`. */
function notePartsOf(name: string, share: number, { index, candidates }: NameSearch): void {
  if (!index.names.has(name)) return
  for (const part of index.words.beginningWith(`${name}-`)) {
    for (const number of index.names.get(part) ?? [])
      noteLinked(candidates.ofOntology(index, number), CLOSE.part * share)
  }
}

function noteLinked(candidate: Candidate | null, close: number): void {
  if (candidate !== null) candidate.linked = Math.max(candidate.linked, close)
}

/**
 * Only a rule's own ids name it; the CCIs and the SRG requirement of a STIG's rule name records that it cites.
 * The index also knows older ids, which matches do not list.
 */
function noteMatch(
  match: GuidanceMatch,
  names: readonly PossibleName[],
  { candidates }: NameSearch,
): void {
  const candidate = candidates.ofGuidance(match)
  const own = match.names.flatMap(formsOf)
  const cited = match.ccis.map(nameOf)
  if (match.kind === 'rule') cited.push(...own.filter((name) => name.startsWith('srg-')))
  const shareOf = (those: readonly string[]): number =>
    names.find(({ name }) => those.includes(name))?.share ?? 0
  const citing = shareOf(cited)
  const named = shareOf(own.filter((name) => !cited.includes(name)))
  noteLinked(candidate, CLOSE.citing * citing)
  const isOlder = named === 0 && citing === 0
  candidate.named = Math.max(candidate.named, isOlder ? (names[0]?.share ?? 0) : named)
}

/** A name with and without its revision; that of an SRG requirement also without its suffix. */
function formsOf(text: string): readonly string[] {
  const name = nameOf(text)
  const bare = name.replace(/-rule$/, '')
  return [name, bare, bare.replace(/-r-\d+$/, ''), name.replace(/^(srg-\p{L}+-\d+)-.*/u, '$1')]
}

/** Finds records whose id begins with the query. */
async function byBeginning(
  whole: PossibleName | undefined,
  { index, candidates, ask }: NameSearch,
): Promise<void> {
  if (whole === undefined || whole.share < 1) return
  const { name } = whole
  if (name.length < SHORTEST_BEGINNING || !/-\d/.test(name)) return
  for (const part of index.words.beginningWith(name)) {
    for (const number of index.names.get(part) ?? [])
      noteLinked(candidates.ofOntology(index, number), CLOSE.part)
  }
  for (const match of await ask({ ways: [{ words: [name], prefix: true }] }))
    noteLinked(candidates.ofGuidance(match), CLOSE.part)
}

/** Adds the techniques and rules of named CCIs and controls, and the rules of named techniques. */
async function noteLinks(records: readonly Candidate[], search: NameSearch): Promise<void> {
  const ccis = new Map<string, number>()
  for (const candidate of records) {
    const close = Math.max(candidate.named, candidate.isCalled ? CLOSE.called : 0)
    noteTechniques(candidate, close, search)
    for (const cci of ccisOf(candidate, search)) if (ccis.size < MOST_CCIS) ccis.set(cci, close)
  }
  if (ccis.size === 0) return
  for (const match of await search.ask(wantedOf([...ccis.keys()].map(nameOf)))) {
    const best = Math.max(...match.ccis.map((cci) => ccis.get(cci) ?? 0))
    noteLinked(search.candidates.ofGuidance(match), CLOSE.implementing * best)
  }
}

/** Adds the techniques that a CCI or control is linked to, and the controls of a CCI. */
function noteTechniques({ source, kind }: Candidate, close: number, search: NameSearch): void {
  if (source.of !== 'ontology') return
  const id = source.record.id ?? ''
  for (const link of search.index.links.get(id) ?? []) {
    const technique = ofIri(link.technique, search)
    technique?.through.push(link)
    noteLinked(technique, CLOSE.linked * close)
  }
  if (kind === 'cci') noteControls(id, close, search)
}

/** CCIs whose rules are related to a record: those of a control, or those linked to a technique. */
function ccisOf({ source, kind }: Candidate, { index }: NameSearch): readonly string[] {
  if (source.of !== 'ontology') return []
  const { id, iri } = source.record
  const found =
    kind === 'control' ? index.ccis.get(id ?? '') : index.ccisOfTechniques.get(iri ?? '')
  return found ?? []
}

function ofIri(iri: string, { index, candidates }: NameSearch): Candidate | null {
  const number = index.byIri.get(iri)
  return number === undefined ? null : candidates.ofOntology(index, number)
}

function noteControls(cci: string, named: number, { index, candidates }: NameSearch): void {
  for (const control of index.controls.get(cci) ?? []) {
    for (const number of index.names.get(nameOf(control)) ?? [])
      noteLinked(candidates.ofOntology(index, number), CLOSE.above * named)
  }
}
