import { z } from 'zod'
import { makeComponent } from '../../../support/authoring.ts'
import { setRows } from '../../../support/guidance-records.ts'
import type { Answer, Client, GuidanceUnderTest, Person, SessionClient } from '../../../support/guidance.ts'
import { makeSrgs } from '../../../support/relocations.ts'
import { newcomer } from '../components/scene.ts'

type Srgs = Awaited<ReturnType<typeof makeSrgs>>

export interface Scene extends Srgs {
  /** Author of the source alone. */
  readonly author: SessionClient
  /** Author of the target alone. */
  readonly receiver: SessionClient & Person
  readonly owner: SessionClient & Person
  readonly projectId: number
  readonly targetProjectId: number
}

/** Two SRGs in two hidden projects; there is a release of the target, which the author has read of. */
export async function newScene(guidance: GuidanceUnderTest): Promise<Scene> {
  const owner = await newcomer(guidance)
  const [author, receiver] = [await newcomer(guidance), await newcomer(guidance)]
  const projectId = await guidance.project(owner)
  const targetProjectId = await guidance.project(owner)
  await guidance.member(projectId, author, 'author')
  await guidance.member(targetProjectId, receiver, 'author')
  const srgs = await makeSrgs(guidance, owner, { projectId, targetProjectId })
  const release = await makeComponent(guidance, owner, {
    projectId: targetProjectId,
    kind: 'srg',
    srgId: srgs.source.srgId,
    prefix: 'KETL-00',
  })
  await setRows(guidance, 'components', { released: 1 }, { id: release.id })
  return { ...srgs, owner, projectId, targetProjectId, author, receiver }
}

export function propose(client: Client, ruleId: number, token: unknown): Promise<Answer> {
  const body = { requirement_relocation: { target_technology_token: token } }
  return client.call('POST', `/rules/${ruleId}/relocations`, { body })
}

/** A proposal that is to be accepted; its number. */
export async function proposeGood(client: Client, ruleId: number, token = 'KETL'): Promise<number> {
  return z.object({ id: z.int() }).parse((await propose(client, ruleId, token)).body).id
}

export function decide(
  client: Client,
  [id, how]: readonly [id: number, how: 'dry_run' | 'accept' | 'decline'],
  targetId: unknown,
): Promise<Answer> {
  const why = { requirement_relocation: { adjudication_rationale: 'We have it.' } }
  const body = { target_component_id: targetId, ...(how === 'decline' && why) }
  return client.call('POST', `/requirement_relocations/${id}/${how}`, { body })
}

const listed = z.array(z.looseObject({ id: z.int() }))

/** The proposals for a token that somebody sees. */
export async function list(client: Client, token = 'KETL'): Promise<z.infer<typeof listed>> {
  const path = `/requirement_relocations?target_technology_token=${token}`
  return listed.parse((await client.call('GET', path)).body)
}
