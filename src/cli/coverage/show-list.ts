import { formatTable } from '../../commands/table.ts'
import type { ListCoverage } from '../../contracts/list-coverage.ts'
import { escapeControls, type Style } from '../terminal.ts'

/** Rows of each table on a terminal; the JSON has all of them. */
const MAX_ROWS = 20

/** Shows the coverage of a list on a terminal: sums, attacks and techniques with gaps first, and further guidance. */
export function showList(report: ListCoverage, style: Style): string {
  const { ontology, note, meaning, comparison } = report
  return [
    style.bold(`Coverage of the list by the ontology ${ontology.version}`),
    ...(note === null ? [] : [style.yellow(note)]),
    ...problemsOf(report, style),
    sumsOf(report),
    ...attackTable(report, style),
    ...techniqueTable(report, style),
    ...guidanceTable(report, style),
    ...(comparison === null ? [] : [comparisonOf(comparison)]),
    style.dim(meaning),
  ].join('\n\n')
}

function problemsOf({ list }: ListCoverage, style: Style): readonly string[] {
  if (list.unknown_count === 0) return []
  const rows = list.unknown.map(({ value, place, reason }) => `${place}: ${escapeControls(value)}: ${reason}`)
  return [style.yellow(limitRows(rows, list.unknown_count, style).join('\n'))]
}

function sumsOf({ summary: { attacks, techniques } }: ListCoverage): string {
  return [
    `${attacks.covered} of ${attacks.listed} attacks are covered, ${attacks.not_covered} are not, ` +
      `and ${attacks.not_mapped} are not mapped by anybody.`,
    `${techniques.linked} of ${techniques.listed} techniques are linked to guidance.`,
  ].join('\n')
}

const GAPS_FIRST = ['not_covered', 'not_linked', 'not_mapped', 'covered', 'linked']

function gapsFirst<T extends { readonly status: string }>(items: readonly T[]): readonly T[] {
  return items.toSorted((a, b) => GAPS_FIRST.indexOf(a.status) - GAPS_FIRST.indexOf(b.status))
}

function attackTable({ attacks }: ListCoverage, style: Style): readonly string[] {
  if (attacks.length === 0) return []
  const rows = gapsFirst(attacks).map((attack) => [
    attack.attack_id ?? attack.id,
    attack.label,
    attack.domain ?? '',
    attack.status.replaceAll('_', ' '),
    attack.defenses.length,
    attack.guidance_count,
  ])
  return [tableOf(['attack', 'label', 'domain', 'status', 'techniques', 'guidance'], rows, style)]
}

function techniqueTable({ techniques }: ListCoverage, style: Style): readonly string[] {
  if (techniques.length === 0) return []
  const rows = gapsFirst(techniques).map((technique) => [
    technique.d3fend_id ?? technique.id,
    technique.label,
    technique.status.replaceAll('_', ' '),
    technique.counters,
    technique.guidance_count,
  ])
  return [tableOf(['technique', 'label', 'status', 'attacks', 'guidance'], rows, style)]
}

function guidanceTable({ guidance, guidance_count: count }: ListCoverage, style: Style): readonly string[] {
  if (count === 0) return ['No guidance is linked to an entry of the list.']
  const rows = guidance.map((source) => [
    escapeControls(source.name),
    source.version ?? '',
    source.counted ? 'yes' : 'no',
    source.rule_count,
    source.adds.attacks.length,
    source.adds.techniques.length,
  ])
  return [tableOf(['document', 'version', 'counts', 'rules', 'adds attacks', 'adds techniques'], rows, style)]
}

/** The first rows as a table, with the number of the others. */
export function tableOf(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  style: Style,
): string {
  const table = formatTable(head, rows.slice(0, MAX_ROWS))
  const omitted = rows.length - MAX_ROWS
  return omitted > 0 ? `${table}\n${style.dim(`and ${omitted} more: --json has all.`)}` : table
}

function limitRows(rows: readonly string[], count: number, style: Style): readonly string[] {
  const shown = rows.slice(0, MAX_ROWS)
  return shown.length === count ? shown : [...shown, style.dim(`and ${count - shown.length} more: --json has them.`)]
}

function comparisonOf({ attacks, techniques, countered }: NonNullable<ListCoverage['comparison']>): string {
  const row = (label: string, { both, added, lost }: typeof attacks) => [label, both, added.length, lost.length]
  const rows = [row('attacks', attacks), row('techniques', techniques), row('attacks countered', countered)]
  return `Compared with the second list:\n${formatTable(['', 'both', 'only here', 'only there'], rows)}`
}
