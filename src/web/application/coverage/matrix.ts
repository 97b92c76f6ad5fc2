import type { View } from './question.ts'
import type { CoverageReport, LabelledRecord } from './report.ts'

/** A technique or an attack, and the number of rules linked to it. */
export interface Cell {
  /** Prefixed name, such as `d3f:AccountLocking`. */
  readonly id: string
  /** `D3-AL`, `T1110`. */
  readonly code: string
  readonly label: string
  readonly rules: number
  /** From 0, for nothing, to 5. */
  readonly shade: number
  /** Whether only broader or related controls lead to it. */
  readonly isLoose: boolean
  /** The difference to the other set of documents. */
  readonly change: 'added' | 'lost' | null
  /** Whether it is listed below its parent attack. */
  readonly isSub: boolean
  /** Whether it or a descendant has rules, here or in the other set. */
  readonly isShown: boolean
}

export interface Column {
  readonly id: string
  readonly label: string
  readonly sum: string
  /** Share of its techniques that have rules, from 0 to 100. */
  readonly percent: number
  readonly rules: number
  readonly cells: readonly Cell[]
}

const LOOSE_LINKS: readonly string[] = ['broader', 'related']
const SHADES = 5

interface Entry {
  readonly id: string
  readonly code: string
  readonly label: string
  readonly tactics: readonly LabelledRecord[]
  readonly rules: number
  readonly relations: readonly string[]
}

/** The tactics of one matrix in the order of the answer; in each, those with most rules come first. */
export function columnsOf(report: CoverageReport, view: View): readonly Column[] {
  const entries = view === 'd3fend' ? techniquesOf(report) : attacksOf(report)
  const maxRules = Math.max(...entries.map(({ rules }) => rules), 1)
  const change = changesOf(report, view)
  const sums = view === 'd3fend' ? report.tactics.defensive : report.tactics.offensive
  return sums.map(({ id, label, techniques, rules }) => ({
    id,
    label,
    rules,
    sum: `${techniques.covered} of ${techniques.total}`,
    percent: techniques.total === 0 ? 0 : Math.round((100 * techniques.covered) / techniques.total),
    cells: nestCells(
      entries
        .filter(({ tactics }) => tactics.some((tactic) => tactic.id === id))
        .map(({ id: entryId, code, label: name, rules: count, relations }) => ({
          id: entryId,
          code,
          label: name,
          rules: count,
          shade: shadeOf(count, maxRules),
          isLoose: relations.length > 0 && relations.every((relation) => LOOSE_LINKS.includes(relation)),
          change: change(entryId),
          isSub: false,
          isShown: count > 0 || change(entryId) !== null,
        })),
    ),
  }))
}

/** Families, those with most rules first; in each, the parent comes first. `T1110.003` is below `T1110`. */
function nestCells(cells: readonly Cell[]): readonly Cell[] {
  const codes = new Set(cells.map(({ code }) => code))
  const families = new Map<string, Cell[]>()
  for (const cell of cells) {
    const parent = cell.code.slice(0, Math.max(cell.code.lastIndexOf('.'), 0))
    const isSub = parent !== '' && codes.has(parent)
    const family = isSub ? parent : cell.code || cell.id
    families.set(family, [...(families.get(family) ?? []), { ...cell, isSub }])
  }
  return Array.from(families.values(), (family) => ({
    maxRules: Math.max(...family.map(({ rules }) => rules)),
    members: family.toSorted((a, b) => Number(a.isSub) - Number(b.isSub) || byRules(a, b)),
  }))
    .toSorted((a, b) => b.maxRules - a.maxRules || nameOf(a.members).localeCompare(nameOf(b.members), 'en'))
    .flatMap(({ maxRules, members }) =>
      members.map((cell, index) => ({ ...cell, isShown: cell.isShown || (index === 0 && maxRules > 0) })),
    )
}

function byRules(a: Cell, b: Cell): number {
  return b.rules - a.rules || a.label.localeCompare(b.label, 'en')
}

function nameOf([first]: readonly Cell[]): string {
  return first?.label ?? ''
}

/** Each shade stands for a multiple of the one before, because the numbers differ widely. */
export function shadeOf(rules: number, maxRules: number): number {
  if (rules === 0) return 0
  if (maxRules <= 1) return SHADES
  return 1 + Math.round(((SHADES - 1) * Math.log(rules)) / Math.log(maxRules))
}

export interface LegendEntry {
  readonly shade: number
  /** `3–5`: how many rules a cell of this shade has. */
  readonly rules: string
}

/** The shades of a matrix with the numbers of rules that they stand for, beginning with none. */
export function legendOf(report: CoverageReport, view: View): readonly LegendEntry[] {
  const numbers = new Set((view === 'd3fend' ? techniquesOf(report) : attacksOf(report)).map((entry) => entry.rules))
  const maxRules = Math.max(...numbers, 1)
  const ranges = new Map<number, { from: number; to: number }>()
  for (let rules = 0; rules <= Math.max(...numbers, 0); rules += 1) {
    const shade = shadeOf(rules, maxRules)
    ranges.set(shade, { from: ranges.get(shade)?.from ?? rules, to: rules })
  }
  return Array.from(ranges, ([shade, { from, to }]) => ({
    shade,
    rules: from === to ? String(from) : `${from}–${to}`,
  }))
}

export function rulesIn(count: number): string {
  return count === 1 ? '1 rule' : `${count.toLocaleString('en')} rules`
}

function techniquesOf({ defensive_techniques, gaps }: CoverageReport): readonly Entry[] {
  return [
    ...defensive_techniques.map(({ id, d3fend_id, label, tactics, rules, relations }) => ({
      id,
      code: d3fend_id ?? '',
      label,
      tactics,
      rules: rules.length,
      relations: Object.keys(relations),
    })),
    ...gaps.defensive_techniques.map(({ id, d3fend_id, label, tactics }) => ({
      id,
      code: d3fend_id ?? '',
      label,
      tactics,
      rules: 0,
      relations: [],
    })),
  ]
}

function attacksOf(report: CoverageReport): readonly Entry[] {
  const { offensive_techniques, gaps } = report
  const relations = new Map(
    report.defensive_techniques.map((technique) => [technique.id, Object.keys(technique.relations)]),
  )
  return [
    ...offensive_techniques.map(({ id, attack_id, label, tactics, rules, defenses }) => ({
      id,
      code: attack_id ?? '',
      label,
      tactics,
      rules: rules.length,
      relations: defenses.flatMap(({ technique }) => relations.get(technique) ?? []),
    })),
    ...gaps.offensive_techniques.map(({ id, attack_id, label, tactics }) => ({
      id,
      code: attack_id ?? '',
      label,
      tactics,
      rules: 0,
      relations: [],
    })),
  ]
}

function changesOf({ comparison }: CoverageReport, view: View): (id: string) => Cell['change'] {
  if (comparison === null) return () => null
  const { added, lost } = view === 'd3fend' ? comparison.defensive_techniques : comparison.offensive_techniques
  const [more, less] = [added, lost].map((list) => new Set(list.map(({ id }) => id)))
  return (id) => {
    if (more?.has(id) === true) return 'added'
    return less?.has(id) === true ? 'lost' : null
  }
}
