import { makeComponent, storeSrg, type MadeComponent } from './authoring.ts'
import { alter } from './guidance-records.ts'
import type { GuidanceUnderTest, Person } from './guidance.ts'

interface Pair {
  readonly source: MadeComponent
  /** An SRG with the token KETL that has no requirement yet. */
  readonly target: MadeComponent
}

interface Places {
  readonly projectId: number
  /** Project of the target, if it differs from `projectId`. */
  readonly targetProjectId?: number
}

/** Creates two SRGs from the same core SRG without HTTP. */
export async function makeSrgs(
  guidance: GuidanceUnderTest,
  owner: Person,
  { projectId, targetProjectId = projectId }: Places,
): Promise<Pair> {
  const srgId = await storeSrg(guidance, 'srg', 3)
  const how = { kind: 'srg', srgId } as const
  const source = await makeComponent(guidance, owner, { projectId, ...how })
  const target = await makeComponent(guidance, owner, { projectId: targetProjectId, ...how, prefix: 'KETL-00' })
  await alter(guidance, (writer) => writer.deleteFrom('rules').where('component_id', '=', target.id).execute())
  return { source, target: { ...target, rules: [] } }
}

interface Proposal {
  readonly ruleId: number
  /** The project that the proposal goes to. */
  readonly projectId: number
}

/** Creates an open proposal for KETL without HTTP. Returns its id. */
export function placeProposal(
  { service }: GuidanceUnderTest,
  proposer: Person,
  { ruleId, projectId }: Proposal,
): Promise<number> {
  const now = new Date().toISOString()
  return service.guidance.database.transact(async (writer) => {
    const { id } = await writer
      .insertInto('requirement_relocations')
      .values({
        source_rule_id: ruleId,
        target_technology_token: 'KETL',
        requested_by_id: proposer.id,
        requested_by_name: proposer.name,
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await writer.insertInto('relocation_destinations').values({ relocation_id: id, project_id: projectId }).execute()
    return id
  })
}
