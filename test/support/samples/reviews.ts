import { randomBytes } from 'node:crypto'
import type { Insertable } from 'kysely'
import { searchKey } from '../../../src/guidance/authoring/reviews/records/search.ts'
import type { ReviewsTable } from '../../../src/guidance/database/schema/reviews.ts'
import { makeComponent, sharedSrg } from '../authoring.ts'
import { addRow } from '../guidance-records.ts'
import type { GuidanceUnderTest, Person } from '../guidance.ts'
import type { Sample, SampleRequest, Scene } from '../sample-requests.ts'

/** Successful requests of the operations on comments and their triage. */
export const REVIEW_SAMPLES: Readonly<Record<string, Sample>> = {
  createReview: async (scene) => {
    const { rules } = await component(scene)
    return { params: { id: rules[0] ?? 0 }, body: { review: { action: 'comment', comment: 'Why?', section: 'title' } } }
  },
  reviewRules: async (scene) => {
    const { id, rules } = await component(scene)
    return { params: { id }, body: { rule_ids: rules, action: 'request_review', comment: 'Please look.' } }
  },
  createComponentComment: async (scene) => ({
    params: { id: (await component(scene)).id },
    body: { review: { comment: 'Why?', responding_to_review_id: null } },
  }),
  updateReview: (scene) => existingComment(scene, { review: { comment: 'Why not?', lock_version: 0 } }),
  triageReview: (scene) =>
    existingComment(scene, {
      triage_status: 'concur',
      response_comment: 'Yes.',
      lock_version: 0,
      duplicate_of_review_id: null,
      addressed_by_rule_id: null,
    }),
  acceptSuggestion: (scene) =>
    existingComment(
      scene,
      { text: 'Look twice.', rule_lock_version: 0, response_comment: 'Yes.', lock_version: 0 },
      { suggested_field: 'fixtext', suggested_text: 'Look.', suggested_base: '' },
    ),
  adjudicateReview: (scene) =>
    existingComment(scene, { resolution_comment: 'Done.', lock_version: 0 }, { triage_status: 'concur' }),
  reopenReview: (scene) => existingComment(scene, undefined, CLOSED),
  withdrawReview: (scene) => existingComment(scene),
  triageReviews: async (scene) => {
    const ids = await several(scene)
    return { body: { review_ids: ids, triage_status: 'non_concur', response_comment: 'No.' } }
  },
  changeReviewSection: (scene) => existingComment(scene, { section: 'status', audit_comment: 'Misfiled' }),
  mergeReviews: async (scene) => {
    const [survivor_id = 0, ...review_ids] = await several(scene)
    return { body: { review_ids, survivor_id } }
  },
  withdrawReviewAsAdministrator: (scene) => existingComment(scene, REASON),
  restoreReview: (scene) => existingComment(scene, REASON, CLOSED),
  moveReview: async (scene) => {
    const { id, rules } = await component(scene)
    const [from = 0, to = 0] = rules
    const comment = await placeComment(scene.guidance, scene.caller, { component_id: id, rule_id: from })
    return { params: { id: comment }, body: { rule_id: to, ...REASON } }
  },
  destroyReview: (scene) => existingComment(scene, REASON),
  listResponses: (scene) => existingComment(scene),
  reactToReview: (scene) => existingComment(scene, { kind: 'up' }),
  listReactions: (scene) => existingComment(scene),
  listComponentComments: async (scene) => {
    const { id, rules } = await component(scene)
    const [rule_id = 0] = rules
    await placeComment(scene.guidance, scene.caller, { component_id: id, rule_id })
    const query = { triage_status: 'all', q: 'why', include_rule_content: 'true', page: '1' }
    return { params: { id }, query: { ...query, rule_id: String(rule_id) } }
  },
  listProjectComments: async (scene) => {
    const id = await scene.project()
    const { id: component_id } = await makeSceneComponent(scene, id)
    await placeComment(scene.guidance, scene.caller, { component_id, rule_id: null })
    return { params: { id }, query: { component_id: String(component_id), per_page: '1' } }
  },
  countComponentComments: async (scene) => {
    const { id, rules } = await component(scene)
    const [rule_id = 0] = rules
    await placeComment(scene.guidance, scene.caller, { component_id: id, rule_id })
    return { params: { id }, query: { triage_status: 'pending', section: 'general' } }
  },
  countProjectComments: async (scene) => {
    const id = await scene.project()
    const { id: component_id } = await makeSceneComponent(scene, id)
    await placeComment(scene.guidance, scene.caller, { component_id, rule_id: null })
    return { params: { id }, query: { component_id: String(component_id), per_page: '1' } }
  },
  listCommentClusters: async (scene) => {
    const { id, rules } = await component(scene)
    for (const rule_id of rules) await placeComment(scene.guidance, scene.caller, { component_id: id, rule_id })
    return { params: { id }, query: { triage_status: 'pending', page: '1', per_page: '5' } }
  },
  triageCommentCluster: async (scene) => {
    const { id, rules } = await component(scene)
    const review_ids: number[] = []
    for (const rule_id of rules)
      review_ids.push(await placeComment(scene.guidance, scene.caller, { component_id: id, rule_id }))
    const [kept_review_id = 0] = review_ids
    const body = { review_ids, kept_review_id, triage_status: 'concur', response_comment: 'Yes.' }
    return { params: { id }, body }
  },
  getReview: (scene) => existingComment(scene),
  listUserComments: async (scene) => {
    const { id: component_id } = await component(scene)
    await placeComment(scene.guidance, scene.caller, { component_id, rule_id: null })
    return { params: { id: scene.caller.id }, query: { triage_status: 'pending' } }
  },
  listResponseTemplates: async (scene) => ({ params: { id: (await template(scene)).id } }),
  createResponseTemplate: async (scene) => ({
    params: { id: await scene.project() },
    body: { triage_response_template: { name: 'Thanks', body: 'Thank you.' } },
  }),
  updateResponseTemplate: async (scene) => ({
    params: await template(scene),
    body: { triage_response_template: { name: 'Thanks', body: 'Thank you very much.' } },
  }),
  deleteResponseTemplate: async (scene) => ({ params: await template(scene) }),
}

const REASON = { audit_comment: 'In the wrong place' }

const CLOSED = { triage_status: 'concur', adjudicated_at: new Date(0).toISOString() } as const

type ReviewValues = Pick<Insertable<ReviewsTable>, 'component_id' | 'rule_id'> & Partial<Insertable<ReviewsTable>>

/** Adds a comment of a person with any role, without HTTP. Returns its id. */
export async function placeComment(guidance: GuidanceUnderTest, author: Person, given: ReviewValues): Promise<number> {
  const now = new Date().toISOString()
  const search_key = searchKey(given.author_name ?? author.name, given.comment ?? 'Why?')
  return addRow(guidance, 'reviews', {
    search_key,
    user_id: author.id,
    author_name: author.name,
    action: 'comment',
    comment: 'Why?',
    triage_status: 'pending',
    created_at: now,
    updated_at: now,
    ...given,
  })
}

interface Made {
  readonly id: number
  readonly rules: readonly number[]
}

async function makeSceneComponent(scene: Scene, projectId: number): Promise<Made> {
  const { guidance, caller } = scene
  return makeComponent(guidance, caller, { projectId, srgId: await sharedSrg(guidance) })
}

async function component(scene: Scene): Promise<Made> {
  return makeSceneComponent(scene, await scene.project())
}

/** A request about a comment of the caller's own. */
async function existingComment(
  scene: Scene,
  body?: Readonly<Record<string, unknown>>,
  values: Partial<ReviewValues> = {},
): Promise<SampleRequest> {
  const { id: component_id, rules } = await component(scene)
  const id = await placeComment(scene.guidance, scene.caller, { component_id, rule_id: rules[0] ?? null, ...values })
  return { params: { id }, ...(body !== undefined && { body }) }
}

async function several(scene: Scene): Promise<readonly number[]> {
  const { id: component_id, rules } = await component(scene)
  const ids: number[] = []
  for (const rule_id of rules) ids.push(await placeComment(scene.guidance, scene.caller, { component_id, rule_id }))
  return ids
}

async function template({ guidance, project }: Scene): Promise<{ readonly id: number; readonly templateId: number }> {
  const id = await project()
  const name = `Template ${randomBytes(4).toString('hex')}`
  const now = new Date().toISOString()
  const templateId = await addRow(guidance, 'triage_response_templates', {
    project_id: id,
    name,
    name_key: name.toLowerCase(),
    body: 'Thank you.',
    created_by_id: null,
    created_at: now,
    updated_at: now,
  })
  return { id, templateId }
}
