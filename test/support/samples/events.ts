import { insertDeliveries, payloadOf } from '../../../src/guidance/activity/events/outbox.ts'
import { sealSecret } from '../../../src/guidance/activity/webhooks/secret.ts'
import { componentMember, makeComponent, sharedSrg } from '../authoring.ts'
import { alter, rowOf } from '../guidance-records.ts'
import type { Sample, SampleRequest, Scene } from '../sample-requests.ts'

/** Nothing is sent to this address, because it is not public. */
const ADDRESS = 'https://127.0.0.1:9/hook'

/** Successful requests of the operations on events and webhooks. */
export const EVENT_SAMPLES: Readonly<Record<string, Sample>> = {
  followEvents: () => ({
    query: {
      stream: 'false',
      after: '0',
      limit: '5',
      project_id: '1',
      component_id: '1',
      kinds: 'rule.updated,comment.created',
      presences: 'true',
    },
  }),
  rememberPresence: presence,
  forgetPresence: async (scene) => ({ params: (await presence(scene)).params ?? {} }),
  listWebhooks: async ({ project }) => ({ params: { id: await project() } }),
  createWebhook: async ({ project }) => ({
    params: { id: await project() },
    body: {
      webhook: {
        url: 'https://example.org/hook',
        secret: 'a secret of a sample',
        kinds: ['rule.updated'],
        active: false,
      },
    },
  }),
  getWebhook: webhook,
  updateWebhook: async (scene) => ({
    ...(await webhook(scene)),
    body: {
      webhook: { url: 'https://example.org/other', secret: 'another secret of a sample', kinds: [], active: true },
    },
  }),
  deleteWebhook: webhook,
  pingWebhook: webhook,
  listDeliveries: async (scene) => ({ ...(await webhook(scene)), query: { page: '1', per_page: '5' } }),
  redeliver: delivery,
  'createMembership of a component': async (scene) => ({
    body: {
      membership: {
        user_id: (await scene.someone()).id,
        role: 'author',
        membership_type: 'Component',
        membership_id: await component(scene),
      },
    },
  }),
  'updateMembership of a component': async (scene) => ({
    ...(await membership(scene)),
    body: { membership: { role: 'reviewer' } },
  }),
  'deleteMembership of a component': membership,
  'searchUsers not yet members of a component': (scene) => searching(scene, {}),
  'searchUsers members of a component': (scene) => searching(scene, { scope: 'members' }),
}

async function component({ guidance, caller, project }: Scene): Promise<number> {
  const { id } = await makeComponent(guidance, caller, { projectId: await project(), srgId: await sharedSrg(guidance) })
  return id
}

async function presence(scene: Scene): Promise<SampleRequest> {
  return { params: { id: await component(scene), window: 'sample1' }, body: { rule_id: null } }
}

async function membership(scene: Scene): Promise<SampleRequest> {
  const { guidance, someone } = scene
  const componentId = await component(scene)
  const person = await someone()
  await componentMember(guidance, componentId, { person, role: 'viewer' })
  const { id } = await rowOf(guidance, 'component_memberships', { component_id: componentId, user_id: person.id })
  return { params: { id } }
}

async function searching(scene: Scene, filters: Readonly<Record<string, string>>): Promise<SampleRequest> {
  const membership_id = String(await component(scene))
  return { query: { q: 'example', membership_type: 'Component', membership_id, ...filters } }
}

async function webhook({ guidance, project }: Scene): Promise<{ params: { id: number } }> {
  const projectId = await project()
  const { database, keys } = guidance.service.guidance
  const now = new Date().toISOString()
  const secret = sealSecret('a secret of a sample', keys.webhook, projectId)
  const { id } = await database.transact((writer) =>
    writer
      .insertInto('webhooks')
      .values({
        project_id: projectId,
        url: ADDRESS,
        secret,
        kinds: '[]',
        active: 1,
        created_by_id: null,
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  return { params: { id } }
}

/** A failed delivery. */
async function delivery(scene: Scene): Promise<SampleRequest> {
  const { params } = await webhook(scene)
  const payload = payloadOf({
    id: 0,
    kind: 'ping',
    created_at: '',
    actor: '',
    project_id: 1,
    component_id: null,
    data: '{}',
  })
  const id = await alter(scene.guidance, async (writer) => {
    const [deliveryId = 0] = await insertDeliveries(writer, [{ webhookId: params.id, eventId: 0, payload }])
    await writer
      .updateTable('webhook_deliveries')
      .set({ state: 'failed', next_attempt_at: null })
      .where('id', '=', deliveryId)
      .execute()
    return deliveryId
  })
  return { params: { id } }
}
