import type { LookupRecord } from '../../contracts/lookup.ts'
import type { OntologyDocument } from '../../contracts/sources.ts'
import { nearestNames, type Spelling } from '../../graph/nearest.ts'
import { append } from '../../platform/append.ts'
import { getOrMake } from '../../platform/get-or-make.ts'
import { nameOf } from '../../platform/words.ts'
import { findContent } from '../documents/documents.ts'
import type { Release } from '../release/release.ts'
import { membersOf, recordPath } from '../render/resolve.ts'
import { artifact } from '../views/artifact/artifact.ts'
import { describe } from '../views/describe/describe.ts'
import { offensiveTechnique } from '../views/offensive-technique/offensive-technique.ts'
import { tactic } from '../views/tactic/tactic.ts'
import { technique } from '../views/technique/technique.ts'
import type { RecordView } from '../views/view.ts'
import { weakness } from '../views/weakness/weakness.ts'

/** Records by one kind of name. */
type Index = ReadonlyMap<string, readonly LookupRecord[]>

/** The names of the records of a release, to find records by exact and by similar names. */
export interface NamesIndex {
  readonly byIri: ReadonlyMap<string, LookupRecord>
  /** Foldings of a name with the index for each; the most precise comes first. */
  readonly foldings: readonly (readonly [fold: (name: string) => string, index: Index])[]
  readonly spellings: readonly Spelling[]
}

const indexes = new WeakMap<Release, Promise<NamesIndex>>()

/** Made when it is first needed. */
export function namesIndexOf(release: Release): Promise<NamesIndex> {
  return getOrMake(indexes, release, () => makeIndex(release))
}

async function makeIndex(release: Release): Promise<NamesIndex> {
  const { documents } = await findContent(release)
  const paths = pathsByIri(release)
  const records = documents.map((document) => ({
    ...document,
    path: paths.get(`${document.kind} ${document.iri}`) ?? describedAt(document.name),
  }))
  return {
    byIri: new Map(records.map((record) => [record.iri, record])),
    foldings: [
      [asWritten, indexBy(records, asWritten, idsOf)],
      [nameOf, indexBy(records, nameOf, idsOf)],
      [asWritten, indexBy(records, asWritten, ({ name }) => [withoutPrefix(name)])],
      [nameOf, indexBy(records, nameOf, ({ name }) => [withoutPrefix(name)])],
      [foldLabel, indexBy(records, foldLabel, ({ label }) => [label])],
      [foldLabel, indexBy(records, foldLabel, ({ synonyms }) => synonyms)],
    ],
    spellings: records.flatMap(spellingsOf),
  }
}

function indexBy(
  records: readonly LookupRecord[],
  fold: (name: string) => string,
  namesOf: (record: LookupRecord) => readonly string[],
): Index {
  const index = new Map<string, LookupRecord[]>()
  for (const record of records)
    for (const name of new Set(namesOf(record).map(fold))) if (name !== '') append(index, name, record)
  return index
}

function idsOf({ id }: LookupRecord): readonly string[] {
  return id === null ? [] : [id]
}

function asWritten(name: string): string {
  return name
}

function withoutPrefix(name: string): string {
  return name.replace(/^[^:/]*:(?!\/\/)/, '')
}

function foldLabel(label: string): string {
  return label
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** The view of each kind that has records of its own. */
const VIEWS: readonly (readonly [OntologyDocument['kind'], RecordView])[] = [
  ['technique', technique],
  ['tactic', tactic],
  ['artifact', artifact],
  ['offensive-technique', offensiveTechnique],
  ['weakness', weakness],
]

/** By kind and IRI. */
function pathsByIri(release: Release): ReadonlyMap<string, string> {
  const paths = new Map<string, string>()
  for (const [kind, view] of VIEWS)
    for (const [name, iri] of membersOf(release, view))
      if (!paths.has(`${kind} ${iri}`)) paths.set(`${kind} ${iri}`, pathFor(view, name))
  return paths
}

export function describedAt(name: string): string {
  return pathFor(describe, name)
}

function pathFor(view: RecordView, name: string): string {
  return recordPath(view, encodeURIComponent(name).replaceAll('%3A', ':'))
}

/** Known names that are similar to an unknown one, the most similar first. */
export function nearestTo({ spellings }: NamesIndex, name: string): readonly string[] {
  return nearestNames(foldSpelling(withoutPrefix(name)), spellings).map((spelling) => spelling.name)
}

function spellingsOf(record: LookupRecord): readonly Spelling[] {
  const called = [...idsOf(record), withoutPrefix(record.name), record.label, ...record.synonyms]
  const folded = new Set(called.map(foldSpelling))
  const name = record.id ?? record.name
  return Array.from(folded, (spelling) => ({ folded: spelling, name }))
}

function foldSpelling(name: string): string {
  return name
    .toLowerCase()
    .replace(/^.*[#/]/, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
}
