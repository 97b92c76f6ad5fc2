/** Types of records in the audit log. */
export const TYPES = [
  'User',
  'PersonalAccessToken',
  'Project',
  'Membership',
  'Component',
  'Rule',
  'Review',
  'RequirementRelocation',
  'TriageResponseTemplate',
  'Webhook',
  'SRG',
  'STIG',
  'BenchmarkAlias',
  'ReferenceData',
  'OntologyRelease',
] as const

/** Actions, as the API names them and in words. */
export const ACTIONS = { create: 'added', update: 'changed', destroy: 'removed', custom: 'anything else' } as const

type Query = Readonly<Record<string, string | null | readonly (string | null)[] | undefined>>

/** The query parameters of the API. */
interface AuditParameters {
  readonly auditable_type?: string
  readonly auditable_id?: number
  readonly action?: keyof typeof ACTIONS
  readonly actor_id?: number
  readonly project_id?: number
  readonly component_id?: number
  readonly since?: string
  readonly until?: string
  readonly page: number
  readonly per_page: number
}

const PER_PAGE = 50
const DAY = /^\d{4}-\d{2}-\d{2}$/
const DAY_MS = 86_400_000

/** Reads the filters from the address; invalid ones are ignored. */
export function auditParameters(query: Query): AuditParameters {
  const text = (name: string): string => [query[name]].flat()[0] ?? ''
  const numbers = Object.fromEntries(
    Object.entries(NUMBERS).flatMap(([name, parameter]) => {
      const value = Number(text(name))
      return Number.isSafeInteger(value) && value > 0 ? [[parameter, value]] : []
    }),
  )
  const action = text('action')
  const since = momentOf(text('from'))
  const until = momentOf(text('until'), DAY_MS)
  return {
    ...numbers,
    ...(text('type') !== '' && { auditable_type: text('type') }),
    ...(isAction(action) && { action }),
    ...(since !== null && { since }),
    ...(until !== null && { until }),
    page: Math.max(1, Math.floor(Number(text('page'))) || 1),
    per_page: PER_PAGE,
  }
}

const NUMBERS = {
  record: 'auditable_id',
  actor: 'actor_id',
  project: 'project_id',
  component: 'component_id',
}

/** The start of a day in UTC, or of the next day; null for an invalid day. */
function momentOf(day: string, later = 0): string | null {
  const time = DAY.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN
  return Number.isNaN(time) ? null : new Date(time + later).toISOString()
}

function isAction(name: string): name is keyof typeof ACTIONS {
  return Object.hasOwn(ACTIONS, name)
}
