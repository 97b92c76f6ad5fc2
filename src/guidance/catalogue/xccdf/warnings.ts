import { getOrMake } from '../../../platform/get-or-make.ts'
import type { ReadWarning } from './benchmark.ts'

/** How many rules a message names. */
const MAX_NAMED = 5

/** The faults that are accepted with a warning. Each sentence follows the names of the places. */
export const READ_WARNINGS = {
  title_missing: 'there is no title; the id is used',
  title_blanks: 'line breaks, other blanks and several blanks in the title become one blank',
  release_date_missing: 'the release information has no date that can be read',
  status_unknown: 'the status is not a status of XCCDF',
  mixed_kinds: 'only some rules have the id of an SRG requirement; the majority decides',
  document_type_ignored: 'the given document type differs from that of the file, which is used',
  version_ignored: 'the given version differs from that of the file, which is used',
  element_repeated: 'a title, description, status or version occurs again; the first one counts',
  element_not_kept: 'some elements are kept in the stored file only',
  group_id_missing: 'the group has no id',
  several_rules_in_group: 'the group holds an earlier rule too',
  version_missing: 'there is no version (STIG id or requirement id)',
  duplicate_rule_version: 'an earlier rule has the same version',
  severity_missing: 'there is no severity; "medium" is used',
  severity_unknown_value: 'the severity is not a severity of XCCDF; "unknown" is used',
  discussion_empty: 'there is no discussion',
  documentable_odd: 'Documentable is neither true nor false; it is left out',
  description_other_text: 'text outside of the tags of the description is left out',
  check_missing: 'there is no check',
  check_by_reference: 'a check only refers to another file',
  several_checks: 'there are several checks',
  several_check_references: 'a check refers to several files; the first one counts',
  complex_check: 'the checks are combined by a complex-check, which is left out',
  substitution: 'a value that the reader must fill in (sub) is left out',
  fix_missing: 'there is no fix',
  several_fixtexts: 'there are several fixtexts',
  fixref_unknown: 'a fixtext refers to a missing fix',
  repeated_ident: 'an ident occurs again; it is stored once',
  ident_empty: 'an ident is empty; it is left out',
} as const

export type ReadWarningCode = keyof typeof READ_WARNINGS

/** Collects warnings, with one warning for each code, so that their number is limited. */
export class ReadWarnings {
  readonly #places = new Map<ReadWarningCode, Set<string>>()

  /** `where` is a rule's id, or the path of an element such as `Benchmark/title`. */
  add(code: ReadWarningCode, location: string): void {
    getOrMake(this.#places, code, () => new Set()).add(location)
  }

  /** In order of first appearance. */
  list(): readonly ReadWarning[] {
    return [...this.#places].map(([code, places]) => {
      const [where = ''] = places
      return { code, where, message: `${nameLocations(places)}: ${READ_WARNINGS[code]}.` }
    })
  }
}

function nameLocations(locations: ReadonlySet<string>): string {
  const shown = [...locations].slice(0, MAX_NAMED)
  if (locations.size === 1) return shown.join('')
  const ellipsis = locations.size > MAX_NAMED ? ', …' : ''
  return `${locations.size} places (${shown.join(', ')}${ellipsis})`
}
