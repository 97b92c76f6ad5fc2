import { cell as valueOf, labelOf, nameOf, textOf, type JsonLd, type NamedRecord, type Row } from '../json-ld.ts'
import type { AttackTactic } from './attack-tactics.ts'

/** A technique or an attack in the columns, with its sub-techniques. */
export interface Cell extends NamedRecord {
  readonly id: string | null
  readonly definition: string | null
  readonly below: readonly Cell[]
}

/** Cells below a heading, which is a technique itself; attacks are in groups without one. */
export interface Group {
  readonly head: Cell | null
  readonly cells: readonly Cell[]
}

export interface Column extends NamedRecord {
  readonly groups: readonly Group[]
}

interface MatrixTechnique {
  readonly '@id': string
  readonly 'rdfs:label'?: string
  readonly 'd3f:d3fend-id'?: string
  readonly 'd3f:definition'?: string
  readonly children?: readonly MatrixTechnique[]
}

/** Shapes the matrix: the techniques right below a tactic head the groups of its column. */
export function defenseColumns(matrix: readonly MatrixTechnique[]): readonly Column[] {
  return matrix.map((tactic) => ({
    name: tactic['@id'],
    label: tactic['rdfs:label'] ?? tactic['@id'],
    groups: (tactic.children ?? []).map((head) => ({
      head: { ...shapeTechnique(head), below: [] },
      cells: (head.children ?? []).map(shapeTechnique),
    })),
  }))
}

function shapeTechnique(technique: MatrixTechnique): Cell {
  return {
    name: technique['@id'],
    label: technique['rdfs:label'] ?? technique['@id'],
    id: technique['d3f:d3fend-id'] ?? null,
    definition: technique['d3f:definition'] ?? null,
    below: (technique.children ?? []).map(shapeTechnique),
  }
}

/** Shapes the attacks of each tactic; T1110.001 is below T1110, if the tactic has both. */
export function attackColumns(tactics: readonly AttackTactic[], answer: JsonLd): readonly Column[] {
  const cells = new Map(
    answer['@graph'].map((node) => {
      const definition = textOf(node, 'd3f:definition')?.replaceAll(/\(Citation: [^)]*\)/g, '') ?? null
      const id = textOf(node, 'd3f:attack-id')
      return [node['@id'], { name: node['@id'], label: labelOf(node), id, definition, below: [] }] as const
    }),
  )
  return tactics.map(({ name, label, attacks }) => ({
    name,
    label,
    groups: [{ head: null, cells: nest(attacks.flatMap((attack) => cells.get(attack) ?? [])) }],
  }))
}

function nest(cells: readonly Cell[]): readonly Cell[] {
  const ids = new Set(cells.map(({ id }) => id))
  const parentOf = ({ id }: Cell): string | null => {
    const parent = id?.replace(/\.\d+$/, '') ?? null
    return parent !== id && ids.has(parent) ? parent : null
  }
  return cells
    .filter((cell) => parentOf(cell) === null)
    .map((cell) => ({ ...cell, below: cells.filter((other) => other !== cell && parentOf(other) === cell.id) }))
}

/** The columns with the cells of some names, and those that lead to one; groups without any are left out. */
export function onlyNamed(columns: readonly Column[], names: ReadonlySet<string>): readonly Column[] {
  const isKept = (cell: Cell): boolean => names.has(cell.name) || cell.below.some(isKept)
  const keepNamed = (cells: readonly Cell[]): readonly Cell[] =>
    cells.filter(isKept).map((cell) => ({ ...cell, below: keepNamed(cell.below) }))
  return columns.map((column) => ({
    ...column,
    groups: column.groups
      .map(({ head, cells }) => ({ head, cells: keepNamed(cells) }))
      .filter(({ head, cells }) => cells.length > 0 || (head !== null && names.has(head.name))),
  }))
}

/** Counts the cells that are below others. */
export function countBelow(columns: readonly Column[]): number {
  const below = columns.flatMap(({ groups }) =>
    groups.flatMap(({ cells }) => cells.flatMap((cell) => cell.below.flatMap(familyOf))),
  )
  return new Set(below.map(({ name }) => name)).size
}

/** The cells of a column with those below them, and the heads of its groups. */
export function cellsOf({ groups }: Column): readonly Cell[] {
  return groups.flatMap(({ head, cells }) => [...(head === null ? [] : [head]), ...cells.flatMap(familyOf)])
}

function familyOf(cell: Cell): readonly Cell[] {
  return [cell, ...cell.below.flatMap(familyOf)]
}

/** Counts different cells: a technique may be in several columns. */
export function countCells(columns: readonly Column[]): number {
  return new Set(columns.flatMap(cellsOf).map(({ name }) => name)).size
}

/** Whether the name or id of a cell, or of one below it, has all the words. */
export function hasWords(cell: Cell, words: readonly string[]): boolean {
  const text = `${cell.label} ${cell.id ?? ''}`.toLowerCase()
  return words.every((word) => text.includes(word)) || cell.below.some((below) => hasWords(below, words))
}

/** Names of techniques or attacks, and what each is paired with. */
export type Pairs = ReadonlyMap<string, ReadonlySet<string>>

export function groupPairs(rows: readonly Row[], variable: string, otherVariable: string): Pairs {
  const pairs = new Map<string, Set<string>>()
  for (const row of rows) {
    const name = nameOf(valueOf(row, variable))
    const others = pairs.get(name) ?? new Set<string>()
    others.add(valueOf(row, otherVariable))
    pairs.set(name, others)
  }
  return pairs
}

/** The number of a cell, with or without what is below it. */
export type CountCell = (cell: Cell, withBelow: boolean) => number

/** How many a cell is paired with; with what is below it, if that is not shown by itself. */
export function countPairs(pairs: Pairs, cell: Cell, withBelow: boolean): number {
  const cells = withBelow ? familyOf(cell) : [cell]
  return new Set(cells.flatMap(({ name }) => [...(pairs.get(name) ?? [])])).size
}

/** Counts the different cells that have the words themselves; null without words. */
export function countMatches(columns: readonly Column[], words: readonly string[]): number | null {
  if (words.length === 0) return null
  const matches = columns.flatMap(cellsOf).filter((cell) => hasWords({ ...cell, below: [] }, words))
  return new Set(matches.map(({ name }) => name)).size
}
