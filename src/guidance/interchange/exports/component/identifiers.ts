import { ccisOf } from '../../../authoring/rules/shape.ts'
import { LEGACY } from '../../../catalogue/benchmarks/shape.ts'
import type { Ident } from '../../../catalogue/xccdf/benchmark.ts'
import { releaseInformationOf } from '../../../catalogue/xccdf/version.ts'
import { displayedName } from '../../../database/rule-names.ts'
import type { ExportedComponent, ExportedRule } from './component.ts'

/**
 * Letters and digits that all editions of XML 1.0 allow in a name (2nd to 5th, appendix B and §2.3), because validators
 * follow different editions. Excludes combining marks and letters of rarer scripts.
 */
const LETTERS = [
  'A-Za-z\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u0131\\u0134-\\u013e\\u0141-\\u0148\\u014a-\\u017e',
  '\\u0180-\\u01c3\\u01cd-\\u01f0\\u01f4\\u01f5\\u01fa-\\u0217\\u0250-\\u02a8',
  '\\u0386\\u0388-\\u038a\\u038c\\u038e-\\u03a1\\u03a3-\\u03ce',
  '\\u0401-\\u040c\\u040e-\\u044f\\u0451-\\u045c\\u045e-\\u0481\\u0490-\\u04c4',
  '\\u0531-\\u0556\\u0561-\\u0586\\u05d0-\\u05ea\\u0621-\\u063a\\u0641-\\u064a\\u0671-\\u06b7',
  '\\u0905-\\u0939\\u0e01-\\u0e2e\\u10d0-\\u10f6\\u1e00-\\u1e9b\\u1ea0-\\u1ef9',
  '\\u3041-\\u3094\\u30a1-\\u30fa\\u4e00-\\u9fa5\\uac00-\\ud7a3',
].join('')

const DIGITS = '0-9\\u0660-\\u0669\\u06f0-\\u06f9\\u0966-\\u096f'

const INVALID_CHARACTERS = new RegExp(`[^${LETTERS}${DIGITS}._-]+`, 'g')

const VALID_START = new RegExp(`^[${LETTERS}_]`)

/** The names of a rule in XCCDF, checklists and profiles. */
export interface Identifiers {
  /** `CNTR-00-000012`; for a STIG, also the rule's id. */
  readonly name: string
  readonly group: string
  readonly rule: string
  readonly fix: string
  readonly check: string
  /** The STIG id. A requirement of an SRG has its final id, or before that the id of the core requirement. */
  readonly version: string
  /** The id of the SRG requirement; null if the rule was made from none. */
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

/** All identifiers of a rule, without duplicates, legacy ids first as in DISA's files. */
export function identsOf({
  ident,
  ident_system,
  legacy_ids,
}: Pick<ExportedRule, 'ident' | 'ident_system' | 'legacy_ids'>): readonly Ident[] {
  const legacy = listOf(legacy_ids).map((value) => ({ system: LEGACY, value }))
  const others = listOf(ident).map((value) => ({ system: systemOf(value, ident_system), value }))
  return [...legacy, ...others]
}

/** A rule stores only one system, although its identifiers may belong to several. */
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

/** The benchmark id of the component's releases: its name, with `_` for characters that ids cannot have. */
export function benchmarkIdOf({ component: { name } }: ExportedComponent): string {
  return ncNameOf(name)
}

/** The version and release for exported files; 0 if a draft has no numbers. */
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

/**
 * A name as an `xsd:NCName`: normalised (NFKC, so that `µ` becomes its letter), with `_` for characters that no id can
 * have, and before a first character that cannot begin an id.
 */
export function ncNameOf(name: string): string {
  const id = name.normalize('NFKC').trim().replaceAll(INVALID_CHARACTERS, '_')
  return VALID_START.test(id) ? id : `_${id}`
}
