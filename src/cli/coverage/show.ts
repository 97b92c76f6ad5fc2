import { formatTable } from '../../commands/table.ts'
import type { CoverageReport } from '../../contracts/coverage.ts'
import { escapeControls, type Style } from '../terminal.ts'
import { tableOf } from './show-list.ts'

/** Shows a coverage on a terminal: sums, sums by tactic, the most covered techniques, and gaps. */
export function showCoverage(report: CoverageReport, style: Style): string {
  const { ontology, note, meaning, comparison } = report
  return [
    style.bold(`Coverage by the ontology ${ontology.version}`),
    ...(note === null ? [] : [style.yellow(note)]),
    sourceTable(report),
    summaryOf(report.summary),
    tacticTable(report),
    techniqueTable(report, style),
    gapsOf(report),
    ...(comparison === null ? [] : [comparisonOf(comparison)]),
    style.dim(meaning),
  ].join('\n\n')
}

function sourceTable({ sources }: CoverageReport): string {
  return formatTable(
    ['document', 'version', 'rules', 'linked rules'],
    sources.map(({ name, version, rule_count, linked_rule_count }) => [
      escapeControls(name),
      version ?? '',
      rule_count,
      linked_rule_count,
    ]),
  )
}

type Summary = CoverageReport['summary']

function summaryOf({ rules, defensive_techniques: defensive, offensive_techniques: offensive }: Summary): string {
  return [
    `${rules.linked} of ${rules.total} rules are linked to techniques.`,
    `${defensive.covered} of ${defensive.total} techniques and ${offensive.covered} of ${offensive.total} attacks are covered.`,
  ].join('\n')
}

function tacticTable({ tactics }: CoverageReport): string {
  const rows = [...tactics.defensive, ...tactics.offensive].map(({ label, techniques, rules }) => [
    label,
    techniques.covered,
    techniques.total,
    rules,
  ])
  return formatTable(['tactic', 'covered', 'of', 'rules'], rows)
}

function techniqueTable({ defensive_techniques: techniques }: CoverageReport, style: Style): string {
  if (techniques.length === 0) return 'No technique is covered.'
  const rows = techniques
    .toSorted((a, b) => b.rules.length - a.rules.length)
    .map(({ id, d3fend_id, label, rules, counters }) => [d3fend_id ?? id, label, rules.length, counters])
  return tableOf(['technique', 'label', 'rules', 'attacks'], rows, style)
}

function gapsOf({ gaps }: CoverageReport): string {
  const { rules, ccis, defensive_techniques: techniques, offensive_techniques: attacks } = gaps
  return [
    `Not covered: ${techniques.length} techniques, ${attacks.length} attacks.`,
    `Linked to nothing: ${rules.length} rules, ${ccis.length} CCIs.`,
  ].join('\n')
}

function comparisonOf(comparison: NonNullable<CoverageReport['comparison']>): string {
  const { against, defensive_techniques: techniques, offensive_techniques: attacks } = comparison
  const names = against.map(({ name, version }) => escapeControls(version === null ? name : `${name} ${version}`))
  const row = (label: string, { both, added, lost }: typeof techniques) => [label, both, added.length, lost.length]
  const rows = [row('techniques', techniques), row('attacks', attacks)]
  return `Compared with ${names.join(', ')}:\n${formatTable(['', 'both', 'only here', 'only there'], rows)}`
}
