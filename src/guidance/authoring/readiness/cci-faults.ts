import { Pauses } from '../../../platform/concurrency/turns.ts'
import type { Reader } from '../../database/transaction.ts'
import { cciFaultsOf, findListed } from '../rules/ccis.ts'
import { ofComponent, type AuthoredRule } from '../rules/reader.ts'
import { findRequirementCcis } from '../rules/sources.ts'

/** The CCIs of a rule that are to be looked at. They do not prevent a release. */
export const CCI_MESSAGES = {
  cci_unknown: 'The rule cites CCIs that the CCI list does not have.',
  cci_deprecated: 'The rule cites CCIs that the CCI list has deprecated or withdrawn.',
  cci_lost: 'The rule does not cite all CCIs of its requirement.',
} as const

interface CciItem {
  readonly code: keyof typeof CCI_MESSAGES
  readonly ruleId: number
  readonly ccis: readonly string[]
}

/** Finds what is wrong with the CCIs of a component's rules. Without a CCI list, only requirements are compared. */
export async function findCciItems(
  reader: Reader,
  componentId: number,
  rules: readonly AuthoredRule[],
): Promise<readonly CciItem[]> {
  const required = await findRequirementCcis(reader, ofComponent(componentId))
  const { listed } = await findListed(reader, [...rules.map(({ ident }) => ident), ...[...required.values()].flat()])
  const pauses = new Pauses()
  const items: CciItem[] = []
  for (const rule of rules) {
    const { unknown, deprecated, lost } = cciFaultsOf(rule, required.get(rule.srg_rule_id ?? 0) ?? [], listed)
    items.push(
      { code: 'cci_unknown', ruleId: rule.id, ccis: unknown },
      { code: 'cci_deprecated', ruleId: rule.id, ccis: deprecated },
      { code: 'cci_lost', ruleId: rule.id, ccis: lost },
    )
    await pauses.rest()
  }
  return items.filter(({ ccis }) => ccis.length > 0)
}
