import { statusesOf } from '../../../../tables/statuses.ts'
import { shortStatus } from '../../editor/list/statuses.ts'
import { NOT_DETERMINED } from '../../editor/rule/visible-fields.ts'

/** The number of rules with one status, and their share. */
export interface StatusShare {
  readonly status: string
  /** The value of the filter in the address of the rule list. */
  readonly key: string
  readonly count: number
  readonly percent: number
  readonly color: string
}

const COLORS: Readonly<Record<string, string>> = {
  'Applicable - Configurable': 'var(--ok)',
  Applicable: 'var(--ok)',
  'Applicable - Inherently Meets': 'var(--harden)',
  'Applicable - Does Not Meet': 'var(--isolate)',
  'Not Applicable': 'var(--text-3)',
}

/** Statuses in the order of the form; "Not Yet Determined" comes last. */
export function sharesOf(kind: 'stig' | 'srg', rules: readonly { readonly status: string }[]): readonly StatusShare[] {
  const statuses = statusesOf(kind)
  const inOrder = [...statuses.filter((status) => status !== NOT_DETERMINED), NOT_DETERMINED]
  return inOrder.map((status) => {
    const count = rules.filter((rule) => rule.status === status).length
    const percent = rules.length === 0 ? 0 : (count / rules.length) * 100
    return { status, key: shortStatus(status), count, percent, color: COLORS[status] ?? 'var(--line-strong)' }
  })
}
