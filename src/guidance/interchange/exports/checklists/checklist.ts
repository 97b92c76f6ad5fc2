import { createHash } from 'node:crypto'
import { FIELDS } from '../../../../tables/fields.ts'
import { LEGACY } from '../../../catalogue/benchmarks/shape.ts'
import { displayedName } from '../../../database/rule-names.ts'
import type { ExportedComponent, ExportedRule } from '../component/component.ts'
import { identsOf } from '../component/identifiers.ts'

/** The answers for a rule that its author can give, in both checklist formats. */
interface Assessment {
  readonly status: 'Not_Reviewed' | 'NotAFinding' | 'Open' | 'Not_Applicable'
  readonly findingDetails: string
  readonly comments: string
}

const ASSESSED: Readonly<Record<ExportedRule['status'], Assessment['status']>> = {
  'Not Yet Determined': 'Not_Reviewed',
  'Applicable - Configurable': 'Not_Reviewed',
  'Applicable - Inherently Meets': 'NotAFinding',
  'Applicable - Does Not Meet': 'Open',
  Applicable: 'Not_Reviewed',
  'Not Applicable': 'Not_Applicable',
}

/**
 * Configurable rules must be reviewed on each system; the others have the same answer on all. A rule that another
 * one satisfies is met where that one is, although its own status says that it is not.
 */
export function assessmentOf(rule: ExportedRule): Assessment {
  const status = rule.satisfiedBy.length > 0 ? 'Not_Reviewed' : ASSESSED[rule.status]
  const isAnswered = status !== 'Not_Reviewed'
  return {
    status,
    findingDetails: isAnswered ? lines(rule.status_justification, rule.artifact_description) : '',
    comments: lines(rule.vendor_comments, satisfiersOf(rule)),
  }
}

/** STIG Viewer has these last, in this order; the others have the order of the table. */
const LAST = ['Security_Override_Guidance', 'IA_Controls']

/** Fields that are attributes of a checklist, in order. */
export const CHECKLIST_FIELDS = FIELDS.filter((field) => field.ckl !== null).toSorted(
  (a, b) => LAST.indexOf(a.ckl) - LAST.indexOf(b.ckl),
)

function satisfiersOf({ satisfiedBy }: ExportedRule): string | null {
  const names = satisfiedBy.map(({ prefix, number }) => displayedName(prefix, number))
  return names.length === 0 ? null : `Satisfied by ${names.join(', ')}.`
}

function lines(...texts: readonly (string | null)[]): string {
  return texts.filter((text) => text !== null && text !== '').join('\n\n')
}

/** Identifiers by system. */
export function sortedIdents(rule: ExportedRule): {
  readonly legacy: readonly string[]
  readonly ccis: readonly string[]
} {
  const idents = identsOf(rule)
  return {
    legacy: idents.filter(({ system }) => system === LEGACY).map(({ value }) => value),
    ccis: idents.map(({ value }) => value).filter((value) => value.startsWith('CCI-')),
  }
}

/** A UUID (RFC 9562, version 8) that is always the same for the same names. */
export function uuidFor(...names: readonly (string | number)[]): string {
  const hash = createHash('sha256').update(JSON.stringify(names)).digest('hex')
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`]
  return [...parts, `8${hash.slice(17, 20)}`, hash.slice(20, 32)].join('-')
}

export function uuidOfStig({ component: { id, version, release } }: ExportedComponent): string {
  return uuidFor('component', id, version ?? 0, release ?? 0)
}
