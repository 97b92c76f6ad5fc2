import { z } from 'zod'
import { cciNamed } from '../../catalogue/reference-data/controls/control-names.ts'
import { isDeprecated } from '../../catalogue/reference-data/items.ts'
import { findCcis, listVersions } from '../../catalogue/reference-data/reader.ts'
import { cciRow, shapeRow, shapeSource, sourceSchema } from '../../catalogue/reference-data/schemas.ts'
import type { Reader } from '../../database/transaction.ts'
import { requireRule, type AuthoredRule } from './reader.ts'
import { ccisOf } from './shape.ts'
import { findRequirementCcis } from './sources.ts'

/** The faulty CCIs of a rule. */
export interface CciFaults {
  /** CCIs that are not in the list. */
  readonly unknown: readonly string[]
  /** CCIs that the list has as deprecated or withdrawn. */
  readonly deprecated: readonly string[]
  /** CCIs of the requirement that the rule lacks, except deprecated ones. */
  readonly lost: readonly string[]
}

/** The CCIs of a list by id; null if no list is loaded. */
type ListedCcis = Awaited<ReturnType<typeof findCcis>> | null

/** Finds faults in the CCIs of a rule. Without a list, it only compares them with the requirement's. */
export function cciFaultsOf(
  { ident }: Pick<AuthoredRule, 'ident'>,
  ofRequirement: readonly string[],
  listing: ListedCcis,
): CciFaults {
  const ccis = namesOf(ident)
  const isListedDeprecated = (id: string): boolean => {
    const cci = listing?.get(id)
    return cci !== undefined && isDeprecated(cci)
  }
  return {
    unknown: listing === null ? [] : ccis.filter((id) => !listing.has(id)),
    deprecated: ccis.filter(isListedDeprecated),
    lost: namesOf(ofRequirement.join(', '))
      .filter((id) => !ccis.includes(id) && !isListedDeprecated(id))
      .toSorted(),
  }
}

/** The CCIs among identifiers in their usual form: `cci-366` becomes `CCI-000366`. Leaves out other identifiers. */
export function namesOf(ident: string | null): readonly string[] {
  const names = ccisOf(ident).filter((value) => /^CCI-/i.test(value))
  return [...new Set(names.map((name) => cciNamed(name) ?? name))]
}

/** Looks up these CCIs in the newest list. */
export async function findListed(
  reader: Reader,
  idents: readonly (string | null)[],
): Promise<{ readonly source: Awaited<ReturnType<typeof listVersions>>[number] | null; readonly listed: ListedCcis }> {
  const [source = null] = await listVersions(reader, 'cci_list')
  if (source === null) return { source, listed: null }
  return { source, listed: await findCcis(reader, source, [...new Set(idents.flatMap(namesOf))]) }
}

/** The CCIs of a rule and of its requirement, as the list describes them. */
export const ruleCcis = z.object({
  source: sourceSchema.nullable().meta({ description: 'The list of CCIs; null where none is loaded' }),
  ccis: z.array(cciRow).meta({ description: 'Those of the rule and of its requirement that the list has, by id' }),
  unknown: z.array(z.string()).meta({ description: 'CCIs of the rule that the list does not have' }),
  deprecated: z.array(z.string()).meta({ description: 'CCIs of the rule that the list has deprecated or withdrawn' }),
  lost: z.array(z.string()).meta({ description: 'CCIs of the requirement that the rule does not have' }),
})

/** Finds the CCIs of a rule and their faults. Refuses unknown rules with 404. */
export async function findRuleCcis(reader: Reader, ruleId: number): Promise<z.infer<typeof ruleCcis>> {
  const rule = await requireRule(reader, ruleId)
  const required = await findRequirementCcis(reader, (is) => is('rules.id', '=', ruleId))
  const ofRequirement = required.get(rule.srg_rule_id ?? 0) ?? []
  const { source, listed: listing } = await findListed(reader, [rule.ident, ...ofRequirement])
  const { unknown, deprecated, lost } = cciFaultsOf(rule, ofRequirement, listing)
  const ids = [...(listing?.keys() ?? [])].sort()
  return {
    source: source === null ? null : shapeSource(source),
    ccis: ids.flatMap((id) => listing?.get(id) ?? []).map(shapeRow),
    unknown: [...unknown],
    deprecated: [...deprecated],
    lost: [...lost],
  }
}
