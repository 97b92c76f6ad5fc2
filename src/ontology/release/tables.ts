import type { Graph, Row } from '../../graph/graph.ts'
import { readQuery } from '../../graph/query.ts'
import { compareCodeUnits, termKey, text, type Literal, type Term } from '../../graph/term.ts'
import { d3f, xsd } from '../../graph/vocabulary.ts'
import { append } from '../../platform/append.ts'
import { domainsIn } from './domains.ts'
import type { Hierarchy } from './hierarchy.ts'

const TACTICS = readQuery(new URL('./queries/tactics.rq', import.meta.url), [
  'technique',
  'tactic',
  'tactic_label',
  'tactic_rel',
  'tactic_rel_label',
])

const ASSERTIONS = readQuery(new URL('./queries/assertions.rq', import.meta.url), [
  'subject',
  'artifact_rel',
  'artifact_rel_label',
  'artifact',
  'artifact_label',
])

const OFFENSIVE_ROWS = readQuery(new URL('./queries/offensive-rows.rq', import.meta.url), [
  'off_artifact',
  'off_artifact_label',
  'off_artifact_rel',
  'off_artifact_rel_label',
  'off_tech',
  'off_tech_label',
  'off_tech_id',
  'off_tech_parent',
  'off_tech_parent_label',
])

const DEFENSIVE_ROWS = readQuery(
  new URL('./queries/defensive-rows.rq', import.meta.url),
  [
    'def_artifact',
    'def_artifact_label',
    'def_artifact_rel',
    'def_artifact_rel_label',
    'def_tech',
    'def_tech_label',
    'def_tech_parent',
    'def_tech_parent_label',
  ],
  ['def_tech_id'],
)

const WEAKNESS_ASSERTIONS = readQuery(new URL('./queries/weakness-assertions.rq', import.meta.url), [
  'weakness',
  'relation',
  'artifact',
])

const SENSOR_ASSERTIONS = readQuery(new URL('./queries/sensor-assertions.rq', import.meta.url), [
  'sensor',
  'relation',
  'artifact',
])

const PARTICIPANTS = readQuery(new URL('./queries/participants.rq', import.meta.url), [
  'event',
  'event_rel',
  'event_rel_label',
  'artifact',
])

const CATALOGS = readQuery(new URL('./queries/catalogs.rq', import.meta.url), ['catalog', 'kind', 'version'])

const REFERENCE_COUNTS = readQuery(new URL('./queries/reference-counts.rq', import.meta.url), ['technique', 'count'])

type RowOf<Q> = Q extends { columns: readonly (infer C extends string)[] } ? Row<C> : never

export type TacticRow = RowOf<typeof TACTICS>
export type Assertion = RowOf<typeof ASSERTIONS>

/** Columns that are joined to the rows of one side in memory. */
type JoinedColumn<Side extends 'off' | 'def'> =
  | `${Side}_tech_parent_is_toplevel`
  | `${Side}_${'tactic' | 'tactic_label' | 'tactic_rel' | 'tactic_rel_label'}`

export type OffensiveRow = Row<(typeof OFFENSIVE_ROWS.columns)[number] | JoinedColumn<'off'>>
export type DefensiveRow = Row<
  Exclude<(typeof DEFENSIVE_ROWS.columns)[number], 'def_tech_parent'> | JoinedColumn<'def'>,
  'def_tech_id'
>

/** The join partners of every mapping, indexed by what they are joined on; rows sorted by IRI. */
export interface Tables {
  readonly tacticsByTechnique: Index<TacticRow>
  readonly assertionsBySubject: Index<Assertion>
  readonly offensiveByArtifact: Index<OffensiveRow>
  readonly defensiveByArtifact: Index<DefensiveRow>
  readonly weaknessesByArtifact: Index<RowOf<typeof WEAKNESS_ASSERTIONS>>
  readonly sensorsByArtifact: Index<RowOf<typeof SENSOR_ASSERTIONS>>
  readonly participantsByEvent: Index<RowOf<typeof PARTICIPANTS>>
  readonly eventsByParticipant: Index<RowOf<typeof PARTICIPANTS>>
  /** Catalogs of controls under their names (`nist.5`, `cci.2022-04-05`). */
  readonly catalogs: ReadonlyMap<string, string>
  readonly referenceCounts: ReadonlyMap<string, number>
}

export type Index<R> = ReadonlyMap<string, readonly R[]>

export async function readTables(graph: Graph, hierarchy: Hierarchy): Promise<Tables> {
  const tactics = await graph.select(TACTICS)
  const tacticsByTechnique = index(tactics, 'technique', ['tactic'])
  const tree = { hierarchy, tacticsByTechnique }
  const participants = await readParticipants(graph, hierarchy)
  const offensive = (await graph.select(OFFENSIVE_ROWS)).flatMap((row) => joinOffensive(tree, row))
  const defensive = (await graph.select(DEFENSIVE_ROWS)).flatMap((row) => joinDefensive(tree, row))
  return {
    tacticsByTechnique,
    assertionsBySubject: index(await readAssertions(graph, hierarchy), 'subject', ['artifact_rel', 'artifact']),
    offensiveByArtifact: index(offensive, 'off_artifact', [
      'off_tech',
      'off_artifact_rel',
      'off_tech_parent',
      'off_tactic',
    ]),
    defensiveByArtifact: index(distinctRows(defensive), 'def_artifact', [
      'def_tech',
      'def_artifact_rel',
      'def_tech_parent_label',
      'def_tactic',
    ]),
    weaknessesByArtifact: index(await graph.select(WEAKNESS_ASSERTIONS), 'artifact', ['weakness']),
    sensorsByArtifact: index(await readSensors(graph, hierarchy), 'artifact', ['sensor']),
    participantsByEvent: index(participants, 'event', ['artifact']),
    eventsByParticipant: index(participants, 'artifact', ['event']),
    catalogs: await readCatalogs(graph),
    referenceCounts: new Map(
      (await graph.select(REFERENCE_COUNTS)).map(
        ({ technique, count }) => [technique.value, Number(count.value)] as const,
      ),
    ),
  }
}

/** Reads assertions about digital artifacts, without those about the root class. */
async function readAssertions(graph: Graph, hierarchy: Hierarchy): Promise<readonly Assertion[]> {
  const artifacts = new Set(hierarchy.below(d3f.DigitalArtifact))
  return (await graph.select(ASSERTIONS)).filter(({ artifact }) => artifacts.has(artifact.value))
}

async function readSensors(graph: Graph, hierarchy: Hierarchy): Promise<readonly RowOf<typeof SENSOR_ASSERTIONS>[]> {
  const sensors = hierarchy.down(d3f.Sensor)
  return (await graph.select(SENSOR_ASSERTIONS)).filter(({ sensor }) => sensors.has(sensor.value))
}

/** Participants of digital events. */
async function readParticipants(graph: Graph, hierarchy: Hierarchy): Promise<readonly RowOf<typeof PARTICIPANTS>[]> {
  const events = hierarchy.down(d3f.DigitalEvent)
  return (await graph.select(PARTICIPANTS)).filter(({ event }) => events.has(event.value))
}

/** If two catalogs have the same name, the first by IRI has it. */
async function readCatalogs(graph: Graph): Promise<ReadonlyMap<string, string>> {
  const rows = (await graph.select(CATALOGS)).map(({ catalog, kind, version }) => {
    const family = kind.value === d3f.ControlCorrelationIdentifierCatalog ? 'cci' : 'nist'
    return [`${family}.${version.value}`, catalog.value] as const
  })
  // Later entries replace earlier ones.
  return new Map(rows.sort(([, a], [, b]) => compareCodeUnits(b, a)))
}

interface TechniqueTree {
  readonly hierarchy: Hierarchy
  readonly tacticsByTechnique: Index<TacticRow>
}

/** The tactics are those of the parent, so a technique below several tactic classes has a row for each. */
function joinOffensive(tree: TechniqueTree, row: RowOf<typeof OFFENSIVE_ROWS>): readonly OffensiveRow[] {
  const parent = row.off_tech_parent.value
  const { techniques, roots } = domainsIn(tree.hierarchy)
  if (!techniques.has(row.off_tech.value) || !techniques.has(parent)) return []
  const isTop = isDirectlyBelow(tree, parent, roots)
  return tacticsAbove(tree, parent).map((tactic) => ({
    ...row,
    off_tech_parent_is_toplevel: isTop,
    off_tactic: tactic.tactic,
    off_tactic_label: tactic.tactic_label,
    off_tactic_rel: tactic.tactic_rel,
    off_tactic_rel_label: tactic.tactic_rel_label,
  }))
}

/** The tactics are those of the technique and its ancestors. */
function joinDefensive(
  tree: TechniqueTree,
  { def_tech_parent: parent, ...row }: Row<(typeof DEFENSIVE_ROWS.columns)[number], 'def_tech_id'>,
): readonly DefensiveRow[] {
  if (!areInTree(tree, d3f.DefensiveTechnique, [row.def_tech.value, parent.value])) return []
  const isTop = isDirectlyBelow(tree, parent.value, DEFENSIVE_ROOTS)
  return tacticsAbove(tree, row.def_tech.value).map((tactic) => ({
    ...row,
    def_tech_parent_is_toplevel: isTop,
    def_tactic: tactic.tactic,
    def_tactic_label: tactic.tactic_label,
    def_tactic_rel: tactic.tactic_rel,
    def_tactic_rel_label: tactic.tactic_rel_label,
  }))
}

/** Whether all classes are the root or below it. */
function areInTree({ hierarchy }: TechniqueTree, root: string, iris: readonly string[]): boolean {
  const family = hierarchy.down(root)
  return iris.every((iri) => family.has(iri))
}

const DEFENSIVE_ROOTS: ReadonlySet<string> = new Set([d3f.DefensiveTechnique])

function isDirectlyBelow({ hierarchy }: TechniqueTree, iri: string, roots: ReadonlySet<string>): Literal {
  const value = String(hierarchy.parents(iri).some((parent) => roots.has(parent)))
  return { type: 'literal', value, datatype: xsd.boolean }
}

/** Tactics that a class or any above it enables, without duplicates. */
function tacticsAbove({ hierarchy, tacticsByTechnique }: TechniqueTree, iri: string): readonly TacticRow[] {
  const tactics = new Map<string, TacticRow>()
  for (const above of hierarchy.up(iri))
    for (const row of tacticsByTechnique.get(above) ?? []) {
      const key = [row.tactic, row.tactic_label, row.tactic_rel_label].map(termKey).join('\n')
      if (!tactics.has(key)) tactics.set(key, row)
    }
  return [...tactics.values()]
}

/** Removes duplicates: parents with the same label give the same rows. */
function distinctRows(rows: readonly DefensiveRow[]): readonly DefensiveRow[] {
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()]
}

type AnyRow = Readonly<Record<string, Term | undefined>>

function keyOf(row: AnyRow): string {
  const columns = Object.keys(row).sort(compareCodeUnits)
  return columns.map((column) => termKey(row[column] ?? text(''))).join('\n')
}

function index<Column extends string, R extends Row<Column>>(
  rows: readonly R[],
  key: Column,
  order: readonly Column[],
): Index<R> {
  // Rows that are equal by these columns get the same order with every engine.
  const sorted = [...rows].sort((a, b) => compareBy(order, a, b) || compareCodeUnits(keyOf(a), keyOf(b)))
  const groups = new Map<string, R[]>()
  for (const row of sorted) append(groups, row[key].value, row)
  return groups
}

/** Compares rows by the values of some columns; a missing value is the lowest. */
export function compareBy(columns: readonly string[], a: AnyRow, b: AnyRow): number {
  for (const column of columns) {
    const order = compareCodeUnits(a[column]?.value ?? '', b[column]?.value ?? '')
    if (order !== 0) return order
  }
  return 0
}
