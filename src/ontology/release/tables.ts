import type { Graph, Row } from '../../graph/graph.ts'
import { readQuery } from '../../graph/query.ts'
import { compareCodeUnits } from '../../graph/term.ts'
import { append } from '../../platform/append.ts'

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
  'off_tech_parent_is_toplevel',
  'off_tactic',
  'off_tactic_label',
  'off_tactic_rel',
  'off_tactic_rel_label',
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
    'def_tech_parent_label',
    'def_tech_parent_is_toplevel',
    'def_tactic',
    'def_tactic_label',
    'def_tactic_rel',
    'def_tactic_rel_label',
  ],
  ['def_tech_id'],
)

const WEAKNESS_ASSERTIONS = readQuery(
  new URL('./queries/weakness-assertions.rq', import.meta.url),
  ['weakness', 'relation', 'artifact'],
)

const SENSOR_ASSERTIONS = readQuery(new URL('./queries/sensor-assertions.rq', import.meta.url), [
  'sensor',
  'relation',
  'artifact',
])

const REFERENCE_COUNTS = readQuery(new URL('./queries/reference-counts.rq', import.meta.url), [
  'technique',
  'count',
])

type RowOf<Q> = Q extends { columns: readonly (infer C extends string)[] } ? Row<C> : never

export type TacticRow = RowOf<typeof TACTICS>
export type Assertion = RowOf<typeof ASSERTIONS>
export type OffensiveRow = RowOf<typeof OFFENSIVE_ROWS>
export type DefensiveRow = Row<(typeof DEFENSIVE_ROWS.columns)[number], 'def_tech_id'>

/** The join partners of every mapping, indexed by what they are joined on; rows sorted by IRI. */
export interface Tables {
  readonly tacticsByTechnique: Index<TacticRow>
  readonly assertionsBySubject: Index<Assertion>
  readonly offensiveByArtifact: Index<OffensiveRow>
  readonly defensiveByArtifact: Index<DefensiveRow>
  readonly weaknessesByArtifact: Index<RowOf<typeof WEAKNESS_ASSERTIONS>>
  readonly sensorsByArtifact: Index<RowOf<typeof SENSOR_ASSERTIONS>>
  readonly referenceCounts: ReadonlyMap<string, number>
}

export type Index<R> = ReadonlyMap<string, readonly R[]>

export async function readTables(graph: Graph): Promise<Tables> {
  return {
    tacticsByTechnique: index(await graph.select(TACTICS), 'technique', ['tactic']),
    assertionsBySubject: index(await graph.select(ASSERTIONS), 'subject', [
      'artifact_rel',
      'artifact',
    ]),
    offensiveByArtifact: index(await graph.select(OFFENSIVE_ROWS), 'off_artifact', [
      'off_tech',
      'off_artifact_rel',
      'off_tech_parent',
      'off_tactic',
    ]),
    defensiveByArtifact: index(await graph.select(DEFENSIVE_ROWS), 'def_artifact', [
      'def_tech',
      'def_artifact_rel',
      'def_tech_parent_label',
      'def_tactic',
    ]),
    weaknessesByArtifact: index(await graph.select(WEAKNESS_ASSERTIONS), 'artifact', ['weakness']),
    sensorsByArtifact: index(await graph.select(SENSOR_ASSERTIONS), 'artifact', ['sensor']),
    referenceCounts: new Map(
      (await graph.select(REFERENCE_COUNTS)).map(
        ({ technique, count }) => [technique.value, Number(count.value)] as const,
      ),
    ),
  }
}

function index<Column extends string, R extends Row<Column>>(
  rows: readonly R[],
  key: Column,
  order: readonly Column[],
): Index<R> {
  const sorted = [...rows].sort((a, b) => compareBy(order, a, b))
  const groups = new Map<string, R[]>()
  for (const row of sorted) append(groups, row[key].value, row)
  return groups
}

function compareBy<Column extends string>(
  columns: readonly Column[],
  a: Row<Column>,
  b: Row<Column>,
): number {
  for (const column of columns) {
    const order = compareCodeUnits(a[column].value, b[column].value)
    if (order !== 0) return order
  }
  return 0
}
