import type { z } from 'zod'
import type { Reader } from '../../database/transaction.ts'
import type { Release } from '../benchmarks/releases.ts'
import { findIdents } from '../benchmarks/rule-parts.ts'
import { benchmarkAddress } from './addresses.ts'
import type { ReleaseOfProduct } from './find.ts'
import type { ruleListSchema } from './schemas.ts'
import { ccisOf, filesOf, legacyIdsOf, requirementOf, shapeNewest, shapeRelease } from './shape.ts'

type RuleList = z.infer<typeof ruleListSchema>

/** The names of a release's rules, without their texts. */
export async function readRuleList(
  reader: Reader,
  { release, newest }: Pick<ReleaseOfProduct, 'release' | 'newest'>,
): Promise<RuleList> {
  return {
    ...shapeRelease(release),
    newest: shapeNewest(newest),
    releases: benchmarkAddress(newest.line),
    files: filesOf(release),
    rules: await readRules(reader, release),
  }
}

async function readRules(reader: Reader, release: Release): Promise<RuleList['rules']> {
  const rows = await reader
    .selectFrom('benchmark_rules')
    .select(['id', 'rule_id', 'group_id', 'group_title', 'version', 'title', 'severity'])
    .where('benchmark_id', '=', release.id)
    .orderBy('position')
    .execute()
  const idents = await findIdents(reader, { benchmarkId: release.id, from: 0, to: rows.length })
  return rows.map(({ id, group_title: groupTitle, ...row }) => {
    const ruleIdents = { idents: idents.get(id) ?? [] }
    const requirement = requirementOf(release, { groupTitle, version: row.version })
    return { ...row, requirement, ccis: ccisOf(ruleIdents), legacy_ids: legacyIdsOf(ruleIdents) }
  })
}
