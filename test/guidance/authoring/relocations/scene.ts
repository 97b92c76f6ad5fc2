import { z } from 'zod'
import { makeComponent } from '../../../support/authoring.ts'
import type { Answer, Client, GuidanceUnderTest, SessionClient } from '../../../support/guidance.ts'
import { makeSrgs } from '../../../support/relocations.ts'
import { newcomer } from '../components/scene.ts'

type Srgs = Awaited<ReturnType<typeof makeSrgs>>

export interface Scene extends Srgs {
  /** Author of the source alone. */
  readonly author: SessionClient
  /** Author of the target alone. */
  readonly receiver: SessionClient
  readonly ownerPerson: Awaited<ReturnType<typeof newcomer>>['person']
  readonly projectId: number
  readonly targetProjectId: number
}

/** Two SRGs in two hidden projects; there is a release of the target, which the author has read of. */
export async function newScene(guidance: GuidanceUnderTest): Promise<Scene> {
  const { client: owner, person: ownerPerson } = await newcomer(guidance)
  const [author, receiver] = [await newcomer(guidance), await newcomer(guidance)]
  const projectId = await guidance.project(owner)
  const targetProjectId = await guidance.project(owner)
  await guidance.member(projectId, author.person, 'author')
  await guidance.member(targetProjectId, receiver.person, 'author')
  const srgs = await makeSrgs(guidance, ownerPerson, { projectId, targetProjectId })
  const release = await makeComponent(guidance, ownerPerson, {
    projectId: targetProjectId,
    kind: 'srg',
    srgId: srgs.source.srgId,
    prefix: 'KETL-00',
  })
  await update(guidance, release.id, { released: 1 })
  return { ...srgs, ownerPerson, projectId, targetProjectId, author: author.client, receiver: receiver.client }
}

/** Changes a component, past HTTP. */
export async function update(
  { service }: GuidanceUnderTest,
  id: number,
  values: Readonly<Record<string, string | number | null>>,
): Promise<void> {
  await service.guidance.database.transact((writer) =>
    writer.updateTable('components').set(values).where('id', '=', id).execute(),
  )
}

/** Changes a rule, past HTTP. */
export async function updateRule(
  { service }: GuidanceUnderTest,
  id: number,
  values: Readonly<Record<string, string | number | null>>,
): Promise<void> {
  await service.guidance.database.transact((writer) =>
    writer.updateTable('rules').set(values).where('id', '=', id).execute(),
  )
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
