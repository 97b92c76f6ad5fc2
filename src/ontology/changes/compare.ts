import { Names } from '../../graph/names.ts'
import { compareCodeUnits, type Statement } from '../../graph/term.ts'
import { owl, rdfs } from '../../graph/vocabulary.ts'
import type { Manifest } from '../release/manifest.ts'
import { readFacts, sortedTexts, type Values } from './facts.ts'
import { identify, type RecordPair } from './identity.ts'
import { IDENTIFIERS, KINDS, readRecords, type OntologyRecord, type ComparedRelease } from './records.ts'
import type { Change, Changes, ChangedStatement } from './schema.ts'
import { MIN_CONFIDENCE, MAX_SUCCESSORS, Successors, WEIGHTS } from './successors.ts'

/** A release as it comes from the folder. */
export interface LoadedRelease {
  readonly manifest: Manifest
  readonly statements: readonly Statement[]
}

const MEASURE =
  'A successor is a record of the same kind that the later release has and has not deprecated. Its confidence is ' +
  `${WEIGHTS.mappings} × mappings (links in both directions with their properties: shared ones of all, Jaccard) + ` +
  `${WEIGHTS.label} × label (stemmed words of the names and synonyms that are most alike, Dice) + ` +
  `${WEIGHTS.definition} × definition (its words, Dice), in hundredths; 1 where the release itself states ` +
  `dcterms:isReplacedBy, or rdfs:seeAlso of a deprecated record. At most ${MAX_SUCCESSORS} are listed, and none below ${MIN_CONFIDENCE}.`

/** Compares two releases. Equal releases give equal answers. */
export function compareReleases(from: LoadedRelease, to: LoadedRelease): Changes {
  const names = new Names({ ...from.manifest.prefixes, ...to.manifest.prefixes })
  const before = readSide(from, names)
  const after = readSide(to, names)
  const { pairs, removed, added } = identify(before, after)
  const newlyDeprecated = pairs.filter(isNewlyDeprecated).map((pair) => pair.after)
  const outdated = added.filter((record) => record.deprecated)
  const successors = new Successors(before, after, [...removed, ...newlyDeprecated, ...outdated])
  const changes = [
    ...added.map((record): Change => ({
      change: 'added',
      ...shapeRecord(record),
      ...(record.deprecated && { successors: successors.of(record).map(shapeSuccessor) }),
    })),
    ...removed.map((record): Change => ({
      change: 'removed',
      ...shapeRecord(record),
      still_stated: after.facts.has(record.iri),
      successors: successors.of(record).map(shapeSuccessor),
    })),
    ...pairs.flatMap((pair) => changesOf(pair, { before, after, names, successors })),
  ].sort(byKind)
  const statements = compareStatements(before, after, names)
  return {
    from: describeRelease(from.manifest),
    to: describeRelease(to.manifest),
    measure: MEASURE,
    counts: count(changes, statements),
    changes,
    statements,
  }
}

function readSide({ statements }: LoadedRelease, names: Names): ComparedRelease {
  const facts = readFacts(statements, names)
  return { facts, records: readRecords(facts, names) }
}

function describeRelease({ version, releaseDate, sha256 }: Manifest): Changes['from'] {
  return { version, release_date: releaseDate, sha256 }
}

function shapeRecord({
  kind,
  iri,
  name,
  id,
  labels,
  deprecated: isDeprecated,
}: OntologyRecord): Pick<Change, 'kind' | 'name' | 'iri' | 'id' | 'label' | 'deprecated'> {
  return { kind, name, iri, id, label: labels[0] ?? null, ...(isDeprecated && { deprecated: true }) }
}

function shapeSuccessor({
  record: { iri, name, id, labels },
  ...sureness
}: ReturnType<Successors['of']>[number]): NonNullable<Change['successors']>[number] {
  return { name, iri, id, label: labels[0] ?? null, ...sureness }
}

interface ComparisonContext {
  readonly before: ComparedRelease
  readonly after: ComparedRelease
  readonly names: Names
  readonly successors: Successors
}

function changesOf(pair: RecordPair, compared: ComparisonContext): readonly Change[] {
  return [
    ...findReidentified(pair),
    ...findRenamed(pair),
    ...findNewlyDeprecated(pair, compared.successors),
    ...findChanged(pair, compared),
  ]
}

function findReidentified({ before, after, by }: RecordPair): readonly Change[] {
  const hasOtherId = before.id !== null && after.id !== null && before.id !== after.id
  if (by === 'iri' && !hasOtherId) return []
  const written = ({ name, id }: OntologyRecord): readonly string[] => (id === null ? [name] : [name, id])
  return [
    {
      change: 're-identified',
      ...shapeRecord(after),
      same_by: by,
      old: written(before),
      new: written(after),
    },
  ]
}

/** A record without a label on one side is not renamed: its label changed. */
function findRenamed({ before, after }: RecordPair): readonly Change[] {
  if (before.labels.length === 0 || after.labels.length === 0) return []
  if (before.labels.join('\n') === after.labels.join('\n')) return []
  return [{ change: 'renamed', ...shapeRecord(after), old: before.labels, new: after.labels }]
}

function isNewlyDeprecated({ before, after }: RecordPair): boolean {
  return after.deprecated && !before.deprecated
}

function findNewlyDeprecated(pair: RecordPair, successors: Successors): readonly Change[] {
  if (!isNewlyDeprecated(pair)) return []
  const { after } = pair
  const shapedSuccessors = successors.of(after).map(shapeSuccessor)
  return [{ change: 'deprecated', ...shapeRecord(after), successors: shapedSuccessors }]
}

const NO_VALUES: Values = new Map()

/** Lists the properties whose values differ, except those that other changes report. */
function findChanged(pair: RecordPair, { before, after, names }: ComparisonContext): readonly Change[] {
  const old = before.facts.get(pair.before.iri) ?? new Map<string, Values>()
  const now = after.facts.get(pair.after.iri) ?? new Map<string, Values>()
  const changedProperties = new Set([
    ...(findRenamed(pair).length > 0 ? [rdfs.label] : []),
    ...(isNewlyDeprecated(pair) ? [owl.deprecated] : []),
    ...(findReidentified(pair).length > 0 ? IDENTIFIERS : []),
  ])
  const properties = [...new Set([...old.keys(), ...now.keys()])].filter((property) => !changedProperties.has(property))
  const differing = properties.sort(compareCodeUnits).flatMap((property): Change[] => {
    const removed = textsNotIn(old.get(property) ?? NO_VALUES, now.get(property) ?? NO_VALUES)
    const added = textsNotIn(now.get(property) ?? NO_VALUES, old.get(property) ?? NO_VALUES)
    if (removed.length + added.length === 0) return []
    return [
      {
        change: 'changed',
        ...shapeRecord(pair.after),
        property: names.compact(property),
        old: removed,
        new: added,
      },
    ]
  })
  const { kind } = pair.before
  if (kind === pair.after.kind) return differing
  const moved = { property: 'kind', old: [kind], new: [pair.after.kind] }
  return [{ change: 'changed', ...shapeRecord(pair.after), ...moved }, ...differing]
}

const EMPTY: readonly string[] = []

/** Returns the texts of values that are not among the others; usually there are none. */
function textsNotIn(values: Values, otherValues: Values): readonly string[] {
  if (isAmong(values, otherValues)) return EMPTY
  return sortedTexts([...values].flatMap(([key, value]) => (otherValues.has(key) ? [] : [value])))
}

function isAmong(values: Values, others: Values): boolean {
  for (const key of values.keys()) if (!others.has(key)) return false
  return true
}

/** Statements between records whose property is a relation. */
function compareStatements(before: ComparedRelease, after: ComparedRelease, names: Names): Changes['statements'] {
  const old = relationStatements(before, names)
  const now = relationStatements(after, names)
  return { added: missingIn(now, old), removed: missingIn(old, now) }
}

function relationStatements({ facts, records }: ComparedRelease, names: Names): ReadonlyMap<string, ChangedStatement> {
  const statements = new Map<string, ChangedStatement>()
  for (const subject of records.keys()) {
    const properties = facts.get(subject) ?? new Map<string, Values>()
    const related = [...properties].filter(([property]) => records.get(property)?.kind === 'relation')
    const links = related.flatMap(([relation, values]) =>
      Array.from(values.values(), ({ iri: object }) => ({
        subject,
        relation,
        object: object ?? '',
      })),
    )
    for (const link of links.filter(({ object }) => records.has(object))) {
      const { relation, object } = link
      statements.set(`${subject} ${relation} ${object}`, {
        subject: names.compact(subject),
        relation: names.compact(relation),
        object: names.compact(object),
      })
    }
  }
  return statements
}

function missingIn(
  statements: ReadonlyMap<string, ChangedStatement>,
  otherEntries: ReadonlyMap<string, unknown>,
): readonly ChangedStatement[] {
  return [...statements]
    .filter(([key]) => !otherEntries.has(key))
    .sort(([a], [b]) => compareCodeUnits(a, b))
    .map(([, statement]) => statement)
}

const ORDER: readonly Change['change'][] = ['added', 'removed', 're-identified', 'renamed', 'deprecated', 'changed']

function byKind(a: Change, b: Change): number {
  return (
    KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) ||
    ORDER.indexOf(a.change) - ORDER.indexOf(b.change) ||
    compareCodeUnits(a.iri, b.iri)
  )
}

function count(changes: readonly Change[], statements: Changes['statements']): Changes['counts'] {
  const countOf = (kind: string, changeKind: string): number =>
    changes.filter((change) => change.kind === kind && change.change === changeKind).length
  const kinds = KINDS.map((kind) => ({
    kind,
    added: countOf(kind, 'added'),
    removed: countOf(kind, 'removed'),
    reidentified: countOf(kind, 're-identified'),
    renamed: countOf(kind, 'renamed'),
    deprecated: countOf(kind, 'deprecated'),
    changed: new Set(
      changes.flatMap((change) => (change.kind === kind && change.change === 'changed' ? [change.iri] : [])),
    ).size,
  }))
  return {
    records: kinds,
    statements: { added: statements.added.length, removed: statements.removed.length },
  }
}
