import { ccisOf } from '../../../authoring/rules/shape.ts'
import { LEGACY } from '../../../catalogue/benchmarks/shape.ts'
import type { Ident } from '../../../catalogue/xccdf/benchmark.ts'
import { releaseInformationOf } from '../../../catalogue/xccdf/version.ts'
import { displayedName } from '../../../database/rule-names.ts'
import type { ExportedComponent, ExportedRule } from './component.ts'
import { ncNameOf } from './nc-name.ts'

/** The names of a rule in XCCDF, checklists and profiles. */
export interface Identifiers {
  /** `CNTR-00-000012`; for a STIG, also the rule's id. */
  readonly name: string
  readonly group: string
  readonly rule: string
  readonly fix: string
  readonly check: string
  /** The STIG id; for an SRG, the requirement's final id, or until it has one that of the core requirement. */
  readonly version: string
  /** The id of the SRG's requirement; null: made from none. */
  readonly requirement: string | null
}

export function identifiersOf(rule: ExportedRule): Identifiers {
  const name = displayedName(rule.prefix, rule.number)
  const ids = { group: `V-${name}`, rule: `SV-${name}`, fix: `F-${name}_fix` }
  const isStig = rule.document_type === 'stig'
  return {
    name,
    ...ids,
    check: `C-${name}_chk`,
    version: isStig ? name : (rule.minted_id ?? rule.version ?? name),
    requirement: rule.version,
  }
}

const CCI_SYSTEM = 'http://cyber.mil/cci'
const CCE_SYSTEM = 'http://cce.mitre.org'

/** All identifiers of a rule, without duplicates: legacy ids first, as in DISA's files. */
export function identsOf({
  ident,
  ident_system,
  legacy_ids,
}: Pick<ExportedRule, 'ident' | 'ident_system' | 'legacy_ids'>): readonly Ident[] {
  const legacy = listOf(legacy_ids).map((value) => ({ system: LEGACY, value }))
  const others = listOf(ident).map((value) => ({ system: systemOf(value, ident_system), value }))
  return [...legacy, ...others]
}

/** A rule stores only one system, although its identifiers may have several. */
function systemOf(value: string, system: string | null): string {
  if (value.startsWith('CCE-')) return system?.includes('cce') === true ? system : CCE_SYSTEM
  if (value.startsWith('CCI-')) return system?.includes('cci') === true ? system : CCI_SYSTEM
  return system ?? CCI_SYSTEM
}

/** The items of `CCI-000015, CCI-000366`, without duplicates. */
export function listOf(text: string | null): readonly string[] {
  return [...new Set(ccisOf(text))]
}

/** Ids of other requirements that a rule satisfies. */
export function satisfiedRequirements({ satisfies }: ExportedRule): readonly string[] {
  return [...new Set(satisfies.flatMap(({ version }) => version ?? []))]
}

/** The benchmark id of the component's releases: its name, with characters replaced that no id can have. */
export function benchmarkIdOf({ component: { name } }: ExportedComponent): string {
  return ncNameOf(name)
}

/** The version and release in exported files; 0 for a draft without numbers. */
export function releaseOf({
  component,
}: {
  readonly component: Pick<ExportedComponent['component'], 'version' | 'release'>
}): { readonly version: number; readonly release: number } {
  return { version: component.version ?? 0, release: component.release ?? 0 }
}

/** `Release: 3 Benchmark Date: 28 Oct 2025`. */
export function releaseInfoOf(exported: ExportedComponent, date: Date): string {
  return releaseInformationOf(String(releaseOf(exported).release), date.toISOString().slice(0, 10))
}
