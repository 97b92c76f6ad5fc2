import { iri } from '../../graph/term.ts'
import { domainsIn } from '../release/domains.ts'
import type { Hierarchy } from '../release/hierarchy.ts'
import type { OffensiveRow } from '../release/tables.ts'
import type { PartialRow } from './rows.ts'

/** The class above all attacks of a domain, as D3FEND names this column since it publishes several domains. */
const FRAMEWORK = 'framework_root_iri'

/** Columns of a mapping to attacks: after the identifier the framework, where the release has more than one. */
export function withFramework(hierarchy: Hierarchy, columns: readonly string[]): readonly string[] {
  if (domainsIn(hierarchy).present.length < 2) return columns
  return columns.flatMap((column) => (column === 'off_tech_id' ? [column, FRAMEWORK] : [column]))
}

export function frameworkOf(hierarchy: Hierarchy, { off_tech: { value } }: OffensiveRow): PartialRow {
  const domains = domainsIn(hierarchy)
  return domains.present.length < 2 ? EMPTY_ROW : { [FRAMEWORK]: iri(domains.rootOf(value)) }
}

const EMPTY_ROW: PartialRow = {}
