import { rulePath } from '../catalogue/release-paths.ts'
import { shortTitle } from '../parts/words/document-title.ts'
import { relationRank } from '../parts/words/relations.ts'
import type { CoveredAttack, CoverageReport, LabelledRecord, Rule, Source } from './report.ts'

export interface OpenedRule {
  readonly ruleId: string
  readonly title: string
  readonly severity: string | null
  readonly document: string
  readonly path: string
  readonly links: readonly {
    readonly cci: string
    readonly relation: string
    readonly technique: LabelledRecord
  }[]
}

/** How a technique counters an attack. */
export interface OpenedCounterPath {
  readonly technique: LabelledRecord
  readonly relation: string
  readonly artifact: LabelledRecord
  readonly attackArtifact: LabelledRecord
  readonly attackRelation: string
  readonly attack: LabelledRecord & { readonly code: string }
}

/** The record behind a cell. */
export interface OpenedRecord {
  readonly id: string
  readonly code: string
  readonly label: string
  readonly kind: 'technique' | 'attack'
  readonly rules: readonly OpenedRule[]
  readonly ways: readonly OpenedCounterPath[]
  /** Techniques that would counter an attack that nothing counters here. */
  readonly defenders: readonly LabelledRecord[]
}

/** Null if the answer has no record of that name. */
export function openedOf(report: CoverageReport, id: string): OpenedRecord | null {
  return openTechnique(report, id) ?? openAttack(report, id) ?? openGap(report, id)
}

function openTechnique(report: CoverageReport, id: string): OpenedRecord | null {
  const technique = report.defensive_techniques.find((record) => record.id === id)
  if (technique === undefined) return null
  const techniques = new Set([id])
  return {
    id,
    code: technique.d3fend_id ?? '',
    label: technique.label,
    kind: 'technique',
    defenders: [],
    rules: rulesOf(report, technique.rules, techniques),
    ways: report.offensive_techniques.flatMap((attack) => counterPathsOf(report, attack, techniques)),
  }
}

function openAttack(report: CoverageReport, id: string): OpenedRecord | null {
  const attack = report.offensive_techniques.find((record) => record.id === id)
  if (attack === undefined) return null
  const techniques = new Set(attack.defenses.map(({ technique }) => technique))
  return {
    id,
    code: attack.attack_id ?? '',
    label: attack.label,
    kind: 'attack',
    defenders: [],
    rules: rulesOf(report, attack.rules, techniques),
    ways: counterPathsOf(report, attack, techniques),
  }
}

function openGap({ gaps, ...report }: CoverageReport, id: string): OpenedRecord | null {
  const emptyRecord = { id, rules: [], ways: [] }
  const technique = gaps.defensive_techniques.find((record) => record.id === id)
  if (technique !== undefined) {
    const { label, d3fend_id } = technique
    return { ...emptyRecord, code: d3fend_id ?? '', label, kind: 'technique', defenders: [] }
  }
  const attack = gaps.offensive_techniques.find((record) => record.id === id)
  if (attack === undefined) return null
  const withLabel = nameWith([...report.defensive_techniques, ...gaps.defensive_techniques])
  return {
    ...emptyRecord,
    code: attack.attack_id ?? '',
    label: attack.label,
    kind: 'attack',
    defenders: attack.techniques.map(withLabel),
  }
}

/** Rules with the strongest relation first; in each, the strongest link first. */
function rulesOf(
  { rules, sources, defensive_techniques }: CoverageReport,
  indexes: readonly number[],
  techniques: ReadonlySet<string>,
): readonly OpenedRule[] {
  const withLabel = nameWith(defensive_techniques)
  const opened = indexes.flatMap((index) => {
    const rule = rules[index]
    if (rule === undefined) return []
    const source = sources[rule.source]
    const links = rule.links
      .filter(({ technique }) => techniques.has(technique))
      .toSorted((a, b) => relationRank(a.relation) - relationRank(b.relation))
    return {
      ruleId: rule.rule_id,
      title: rule.title,
      severity: rule.severity,
      document: source === undefined ? '' : titleOf(source),
      path: pathOf(rule, source),
      links: links.map((link) => ({ ...link, technique: withLabel(link.technique) })),
    }
  })
  return opened.toSorted((a, b) => rankOfStrongestLink(a) - rankOfStrongestLink(b))
}

function rankOfStrongestLink({ links }: OpenedRule): number {
  return relationRank(links[0]?.relation ?? '')
}

/** The page of a published rule in its release, or of an authored rule in the editor. */
function pathOf({ path, rule_id }: Rule, source: Source | undefined): string {
  if (source === undefined || source.kind === 'component' || source.version === null) return path
  return rulePath({ benchmarkId: source.name, version: source.version }, rule_id)
}

function counterPathsOf(
  { defensive_techniques }: CoverageReport,
  attack: CoveredAttack,
  techniques: ReadonlySet<string>,
): readonly OpenedCounterPath[] {
  const withLabel = nameWith(defensive_techniques)
  const { id, label, attack_id } = attack
  return attack.defenses
    .filter(({ technique }) => techniques.has(technique))
    .flatMap(({ technique, ways }) =>
      ways.map(({ relation, artifact, attack_artifact, attack_relation }) => ({
        technique: withLabel(technique),
        relation,
        artifact,
        attackArtifact: attack_artifact,
        attackRelation: attack_relation,
        attack: { id, label, code: attack_id ?? '' },
      })),
    )
}

function nameWith(list: readonly LabelledRecord[]): (id: string) => LabelledRecord {
  const labels = new Map(list.map(({ id, label }) => [id, label]))
  return (id) => ({ id, label: labels.get(id) ?? id })
}

export function titleOf({ title, version }: Source): string {
  const short = shortTitle(title)
  return version === null ? short : `${short} ${version}`
}
