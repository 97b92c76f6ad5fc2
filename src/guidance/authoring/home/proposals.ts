import type { BenchmarkKind } from '../../database/schema/benchmarks.ts'
import type { Reader } from '../../database/transaction.ts'
import { tokenOf } from '../components/mint.ts'

interface Destination {
  readonly own: {
    readonly id: number
    readonly prefix: string
    readonly project: { readonly id: number }
  }
  readonly documentType: BenchmarkKind
}

/** How many requirements of other SRGs are proposed for each of these components, and not decided on. */
export async function countProposals(
  reader: Reader,
  components: readonly Destination[],
): Promise<ReadonlyMap<number, number>> {
  const srgs = components.flatMap(({ own, documentType }) => (documentType === 'srg' ? [own] : []))
  if (srgs.length === 0) return new Map()
  const open = await reader
    .selectFrom('relocation_destinations as sent')
    .innerJoin('requirement_relocations as relocation', 'relocation.id', 'sent.relocation_id')
    .innerJoin('rules', 'rules.id', 'relocation.source_rule_id')
    .select(['sent.project_id', 'rules.component_id'])
    .select('relocation.target_technology_token as token')
    .where('sent.project_id', 'in', [...new Set(srgs.map(({ project }) => project.id))])
    .where('relocation.executed_at', 'is', null)
    .where('relocation.declined_at', 'is', null)
    .where('rules.deleted_at', 'is', null)
    .execute()
  return new Map(
    srgs.map(({ id, prefix, project }) => {
      const token = tokenOf(prefix)
      const here = open.filter((one) => one.project_id === project.id && one.token === token && one.component_id !== id)
      return [id, here.length]
    }),
  )
}
