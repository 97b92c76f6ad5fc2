import { z } from 'zod'
import type { Caller } from '../../../../http/caller.ts'
import { STATUSES } from '../../../../tables/statuses.ts'
import { isWeight, USUAL_WEIGHT } from '../../../authoring/rule-editing/content.ts'
import { nameSome } from '../../../parts/name-some.ts'
import type { Archive } from '../format/archive.ts'
import type { MembersPlan } from './members.ts'
import type { People } from './people.ts'
import type { ImportChoice, ChosenComponent, Plan } from './plan.ts'

const count = z.int()

/** The result of an import, or of a dry run. */
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
      conflict: z.boolean().meta({ description: 'Whether the project already has a component of this name' }),
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

export interface ImportReport {
  readonly summary: Summary
  readonly warnings: readonly string[]
}

interface ReportContext extends ImportChoice {
  readonly caller: Caller
  readonly people: People
  readonly members: MembersPlan
}

/** Reports the result of an import or of its preview. */
export function reportOf(plan: Plan, archive: Archive, options: ReportContext): ImportReport {
  const members = options.includeMemberships ? options.members.joining.length : 0
  return { summary: summarise(plan, options, members), warnings: warningsOf(plan, archive, options) }
}

function summarise(plan: Plan, choice: ImportChoice, memberships: number): Summary {
  const { chosen, conflicts, missing } = plan
  const sum = (count: (component: ChosenComponent) => number): number =>
    chosen.reduce((total, component) => total + count(component), 0)
  return {
    components_imported: chosen.length,
    rules_imported: sum(({ rules }) => rules.length),
    satisfactions_imported: sum(({ satisfactions }) => satisfactions.length),
    reviews_imported: choice.includeReviews ? sum(({ reviews }) => reviews.length) : 0,
    memberships_imported: memberships,
    srgs_imported: missing.length,
    component_details: chosen.map(({ name, component, rules }) => ({
      name,
      rule_count: rules.length,
      conflict: conflicts.has(name),
      srg_title: component.based_on.title,
      srg_version: component.based_on.version,
    })),
  }
}

/** Warns of the differences from the archive. */
function warningsOf(
  { chosen, conflicts }: Plan,
  { project, replaced }: Archive,
  choice: ReportContext,
): readonly string[] {
  const knownNames = new Set(chosen.map(({ component }) => component.name))
  const absent = [...(choice.filter?.keys() ?? [])].filter((name) => !knownNames.has(name))
  return [
    ...absent.map((name) => `The archive has no component ${name}.`),
    ...[...conflicts].map((name) => `The project has a component ${name} already.`),
    ...chosen
      .filter((imported) => imported.component.released && !isReleasable(imported))
      .map((imported) => `${imported.name} is imported as not released: ${releaseObstacle(imported)}.`),
    ...chosen.flatMap(weightWarnings),
    ...replaced.map((name) => `${name}: characters that cannot be stored are replaced by U+FFFD.`),
    ...(choice.includeMemberships ? memberWarnings(project, choice.members) : []),
    ...(choice.includeReviews ? reactionWarnings(chosen, choice) : []),
  ]
}

/** The number of names in a warning. */
const MAX_NAMED = 10

function weightWarnings({ name, rules }: ChosenComponent): readonly string[] {
  const invalidWeights = rules.filter((rule) => !isWeight(rule.rule_weight)).map(({ rule_id }) => rule_id)
  if (invalidWeights.length === 0) return []
  const names = nameSome(invalidWeights, MAX_NAMED)
  return [`${name}: weights that are not numbers become ${USUAL_WEIGHT}: rules ${names}.`]
}

function memberWarnings(project: Archive['project'], { absent }: MembersPlan): readonly string[] {
  const unnamed = (project?.memberships ?? []).filter(({ email }) => email === null)
  return [
    ...(unnamed.length === 0 ? [] : [`${unnamed.length} members have no e-mail address.`]),
    ...(absent.length === 0
      ? []
      : [`Not added, because they have no account here or cannot be added: ${nameSome(absent, MAX_NAMED)}.`]),
  ]
}

/** Warns that reviews keep only names of people who have no account or for whom the caller may not act. */
function reactionWarnings(
  chosen: readonly ChosenComponent[],
  { caller, people }: Pick<ReportContext, 'caller' | 'people'>,
): readonly string[] {
  const warnings = attributionWarnings(chosen, caller)
  if (warnings.length > 0) return warnings
  const attributablePeople = people.attributableBy(caller)
  const lostReactions = chosen
    .flatMap(({ reviews }) => reviews.flatMap(({ reactions }) => reactions))
    .filter(({ user_email }) => attributablePeople.idOf(user_email) === null)
  if (lostReactions.length === 0) return []
  return [`Reactions left out because no account here has the address of the person: ${lostReactions.length}.`]
}

/** Warns if the caller may not attribute reviews to others (`People.attributableBy`). */
function attributionWarnings(
  chosen: readonly ChosenComponent[],
  { admin, email: ownEmail }: Caller,
): readonly string[] {
  const otherPeople = chosen
    .flatMap(({ reviews }) => reviews)
    .flatMap(({ user_email, reactions }) => [user_email, ...reactions.map((reaction) => reaction.user_email)])
    .filter((email) => email !== null && email.trim().toLowerCase() !== ownEmail)
  if (admin || otherPeople.length === 0) return []
  return [
    'Reviews keep the names of other people but are not linked to their accounts, and reactions are lost: only a site administrator can import on behalf of others.',
  ]
}

function releaseObstacle(component: ChosenComponent): string {
  return isNumbered(component) ? 'not all of its rules are locked' : 'it has no version or no release'
}

function isNumbered({ component: { version, release } }: Pick<ChosenComponent, 'component'>): boolean {
  return version !== null && release !== null
}

/** A release needs a version, a release number, and only locked rules (docs/contract.md, Workflow state). */
export function isReleasable(component: Pick<ChosenComponent, 'component' | 'rules'>): boolean {
  if (!isNumbered(component)) return false
  return component.rules.every(
    ({ locked, deleted_at, status }) => deleted_at !== null || (locked && status !== STATUSES.srg.not_yet_determined),
  )
}
