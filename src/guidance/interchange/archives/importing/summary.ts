import { z } from 'zod'
import type { Caller } from '../../../../http/caller.ts'
import { STATUSES } from '../../../authoring/rules/schemas.ts'
import type { Archive } from '../format/archive.ts'
import type { Choice, Chosen, Plan } from './plan.ts'

const count = z.int()

/** The result of an import, or of a dry run (operations A). */
export const summarySchema = z.object({
  components_imported: count,
  rules_imported: count,
  satisfactions_imported: count,
  reviews_imported: count,
  memberships_imported: count,
  srgs_imported: count,
  component_details: z.array(
    z.object({
      name: z.string(),
      rule_count: count,
      conflict: z
        .boolean()
        .meta({ description: 'Whether the project has a component of this name already' }),
      srg_title: z.string().nullable(),
      srg_version: z.string(),
    }),
  ),
  dry_run: z.literal(true).optional(),
  srg_details: z
    .array(z.object({ srg_id: z.string(), title: z.string().nullable(), version: z.string() }))
    .optional()
    .meta({ description: 'For a dry run: the SRGs that would be imported' }),
})

export type Summary = z.infer<typeof summarySchema>

export function summarise(plan: Plan, choice: Choice, memberships: number): Summary {
  const { chosen, conflicts, missing } = plan
  const sum = (of: (one: Chosen) => number): number =>
    chosen.reduce((total, one) => total + of(one), 0)
  return {
    components_imported: chosen.length,
    rules_imported: sum(({ rules }) => rules.length),
    satisfactions_imported: sum(({ satisfactions }) => satisfactions.length),
    reviews_imported: choice.includeReviews ? sum(({ reviews }) => reviews.length) : 0,
    memberships_imported: memberships,
    srgs_imported: missing.length,
    component_details: chosen.map(({ name, component, rules }) => ({
      ...{ name, rule_count: rules.length, conflict: conflicts.has(name) },
      ...{ srg_title: component.based_on.title, srg_version: component.based_on.version },
    })),
  }
}

/** What would differ from the archive. */
export function warningsOf(
  { chosen, conflicts }: Plan,
  { project, replaced }: Archive,
  choice: Choice & { readonly caller: Caller },
): readonly string[] {
  const known = new Set(chosen.map(({ component }) => component.name))
  const absent = [...(choice.filter?.keys() ?? [])].filter((name) => !known.has(name))
  const members = project?.memberships ?? []
  const unnamed = choice.includeMemberships ? members.filter(({ email }) => email === null) : []
  return [
    ...absent.map((name) => `The archive has no component ${name}.`),
    ...[...conflicts].map((name) => `The project has a component ${name} already.`),
    ...chosen
      .filter((one) => one.component.released && !isReleasable(one))
      .map((one) => `${one.name} is not released again: ${missingOf(one)}.`),
    ...replaced.map((name) => `${name}: characters that cannot be stored are replaced by U+FFFD.`),
    ...(unnamed.length === 0 ? [] : [`${unnamed.length} members have no e-mail address.`]),
    ...(choice.includeReviews ? unvouched(chosen, choice.caller) : []),
  ]
}

/** See `People.vouchedFor`. */
function unvouched(chosen: readonly Chosen[], { admin, email: own }: Caller): readonly string[] {
  const others = chosen
    .flatMap(({ reviews }) => reviews)
    .flatMap(({ user_email, reactions }) => [user_email, ...reactions.map((one) => one.user_email)])
    .filter((email) => email !== null && email.trim().toLowerCase() !== own)
  if (admin || others.length === 0) return []
  return [
    'Reviews keep the names of other people, but do not become theirs, and their reactions are lost: only a site administrator can import in the name of others.',
  ]
}

function missingOf(one: Chosen): string {
  return isNumbered(one) ? 'not all of its rules are locked' : 'it has no version or no release'
}

function isNumbered({ component: { version, release } }: Pick<Chosen, 'component'>): boolean {
  return version !== null && release !== null
}

/** A release needs a version, a release number, and only locked rules (contract §16). */
export function isReleasable(one: Pick<Chosen, 'component' | 'rules'>): boolean {
  if (!isNumbered(one)) return false
  return one.rules.every(
    ({ locked, deleted_at, status }) =>
      deleted_at !== null || (locked && status !== STATUSES.srg.not_yet_determined),
  )
}
