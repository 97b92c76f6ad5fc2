import { z } from 'zod'
import { type Access, callerAccess } from '../../../http/access.ts'
import { DOCUMENT } from '../../../http/answer/answers.ts'
import { actorOf } from '../../../http/caller.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { pathId } from '../../../http/input.ts'
import { confirmation, SAVED_MESSAGE, toast, toastSchema } from '../../../http/toast.ts'
import { writeAudit } from '../../activity/audits/writer.ts'
import { componentRole, requireComponentRole, type ComponentGrant } from '../../authoring/access/component-access.ts'
import { requireRecord } from '../../authoring/components/reader.ts'
import { componentSubject } from '../../authoring/components/record.ts'
import type { Database } from '../../database/database.ts'
import type { Parts } from '../../parts/parts.ts'
import { findDetails } from './details.ts'
import { requireReached } from './differences.ts'
import { freezeComponent } from './freeze.ts'
import { packOf } from './pack.ts'
import { findMilestones, requireMilestone, shapeMilestone } from './reader.ts'
import {
  componentParams,
  detailsSchema,
  milestoneChanges,
  milestoneParams,
  milestoneSchema,
  newMilestone,
  PARTS,
  planBody,
} from './schemas.ts'
import {
  addMilestone,
  changeMilestones,
  layOutPlan,
  NOT_CHANGED,
  reachMilestone,
  removeMilestone,
  requireOpen,
  updateMilestone,
} from './writer.ts'

const TAG = 'Milestones'

/** The dates of a component in DISA's process for vendors, and its frozen state at each reached milestone. */
export function milestoneEndpoints(parts: Parts): readonly Endpoint[] {
  return [list(parts), add(parts), layOut(parts), show(parts), update(parts), remove(parts), reach(parts), pack(parts)]
}

const listAnswer = z.object({ milestones: z.array(milestoneSchema) })

async function listOf({ read }: Database, { componentId }: ComponentGrant): Promise<z.input<typeof listAnswer>> {
  return { milestones: (await findMilestones(read, componentId)).map(shapeMilestone) }
}

function list({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/components/{id}/milestones',
    operation: 'listMilestones',
    tag: TAG,
    summary: 'The milestones of a component, by date',
    access: componentRole(database, 'viewer'),
    input: z.object({ params: componentParams }),
    answer: listAnswer,
    handle: ({ grant }) => listOf(database, grant),
  })
}

function add({ database }: Parts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/components/{id}/milestones',
    operation: 'addMilestone',
    tag: TAG,
    summary: 'Add a milestone to a component',
    access: componentRole(database, 'author'),
    failure: NOT_CHANGED,
    created: true,
    input: z.object({ params: componentParams, body: newMilestone }),
    answer: z.object({ toast: toastSchema, milestone: milestoneSchema }),
    handle: async ({ grant, input: { body } }) => {
      const { componentId } = grant
      const milestone = await changeMilestones(database, { grant, least: 'author' }, async (writer) =>
        requireMilestone(writer, componentId, await addMilestone(writer, componentId, body.milestone)),
      )
      return {
        ...toast('Milestone added.', `${milestone.name} is due on ${milestone.due_on}.`),
        milestone: shapeMilestone(milestone),
      }
    },
  })
}

function layOut({ database }: Parts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/components/{id}/milestones/plan',
    operation: 'planMilestones',
    tag: TAG,
    summary: "Lay out the milestones of DISA's process from a start date; those that are reached stay",
    access: componentRole(database, 'author'),
    failure: NOT_CHANGED,
    input: z.object({ params: componentParams, body: planBody }),
    answer: listAnswer.extend({ toast: toastSchema }),
    handle: async ({ grant, input: { body } }) => {
      await changeMilestones(database, { grant, least: 'author' }, (writer) =>
        layOutPlan(writer, grant.componentId, body.start_on),
      )
      return { ...toast('Milestones laid out.', `They begin on ${body.start_on}.`), ...(await listOf(database, grant)) }
    },
  })
}

function show({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/components/{id}/milestones/{milestone}',
    operation: 'getMilestone',
    tag: TAG,
    summary: 'A reached milestone: differences since the one before, readiness and attachments as they were',
    refusals: ['validation_failed', 'overloaded', 'reading_too_long'],
    access: componentRole(database, 'viewer'),
    input: z.object({ params: milestoneParams }),
    answer: detailsSchema,
    handle: async ({ grant: { caller, componentId }, input: { params } }) => {
      const milestone = requireReached(await requireMilestone(database.read, componentId, params.milestone))
      return findDetails(database.read, { componentId, milestone, caller })
    },
  })
}

function update({ database }: Parts): Endpoint {
  return endpoint({
    method: 'patch',
    path: '/components/{id}/milestones/{milestone}',
    operation: 'updateMilestone',
    tag: TAG,
    summary: 'Rename a milestone, or change its date',
    access: componentRole(database, 'author'),
    failure: NOT_CHANGED,
    input: z.object({ params: milestoneParams, body: milestoneChanges }),
    answer: z.object({ toast: toastSchema, milestone: milestoneSchema }),
    handle: async ({ grant, input: { params, body } }) => {
      const target = { componentId: grant.componentId, id: params.milestone }
      await changeMilestones(database, { grant, least: 'author' }, (writer) =>
        updateMilestone(writer, target, body.milestone),
      )
      const milestone = await requireMilestone(database.read, target.componentId, target.id)
      return { ...toast('Milestone updated.', SAVED_MESSAGE), milestone: shapeMilestone(milestone) }
    },
  })
}

function remove({ database }: Parts): Endpoint {
  return endpoint({
    method: 'delete',
    path: '/components/{id}/milestones/{milestone}',
    operation: 'deleteMilestone',
    tag: TAG,
    summary: 'Remove a milestone with what is frozen',
    access: componentRole(database, 'admin'),
    failure: NOT_CHANGED,
    input: z.object({ params: milestoneParams }),
    answer: confirmation,
    handle: async ({ grant, input: { params } }) => {
      const target = { componentId: grant.componentId, id: params.milestone }
      await changeMilestones(database, { grant, least: 'admin' }, (writer) => removeMilestone(writer, target))
      return toast('Milestone removed.', 'What was frozen is deleted.')
    },
  })
}

function reach({ database, version }: Parts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/components/{id}/milestones/{milestone}/reach',
    operation: 'reachMilestone',
    tag: TAG,
    summary: 'Mark a milestone as reached, and freeze the component as it is now',
    refusals: ['edit_conflict', 'too_large'],
    access: componentRole(database, 'author'),
    failure: 'Could not freeze the component.',
    input: z.object({ params: milestoneParams }),
    answer: z.object({ toast: toastSchema, milestone: milestoneSchema }),
    handle: async ({ grant, input: { params } }) => {
      const { caller, componentId } = grant
      const target = { componentId, caller, id: params.milestone }
      requireOpen(await requireMilestone(database.read, componentId, target.id))
      const frozen = await freezeComponent(database.read, { componentId, version })
      await changeMilestones(database, { grant, least: 'author' }, (writer) => reachMilestone(writer, target, frozen))
      const milestone = await requireMilestone(database.read, componentId, target.id)
      return {
        ...toast('Milestone reached.', `The component is frozen as it is now: ${milestone.name}.`),
        milestone: shapeMilestone(milestone),
      }
    },
  })
}

function pack({ database, version: program }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/components/{id}/milestones/{milestone}/pack',
    operation: 'getMilestonePack',
    tag: TAG,
    summary: 'The files of a reached milestone as a zip: the public part, or the restricted part',
    refusals: ['validation_failed', 'overloaded', 'reading_too_long'],
    access: packAccess(database),
    mediaTypes: ['application/zip'],
    input: z.object({
      params: milestoneParams,
      query: z.object({ part: z.enum(PARTS).meta({ description: 'The restricted part is for authors' }) }),
    }),
    answer: DOCUMENT,
    handle: async ({ grant: { caller, componentId }, input: { params, query } }) => {
      const milestone = requireReached(await requireMilestone(database.read, componentId, params.milestone))
      const document = await packOf(database.read, { componentId, milestone, caller, program, part: query.part })
      if (query.part === 'restricted')
        await database.transact(async (writer) =>
          writeAudit(writer, actorOf(caller), {
            action: 'custom',
            subject: componentSubject(await requireRecord(writer, componentId)),
            comment: 'export_milestone',
          }),
        )
      return document
    },
  })
}

/** Viewers may get the public part, and authors the restricted one. */
function packAccess(database: Database): Access<ComponentGrant> {
  return callerAccess('component viewer; restricted: component author', (caller, request) => {
    const least = request.query['part'] === 'public' ? 'viewer' : 'author'
    return requireComponentRole(database.read, caller, { componentId: pathId(request), least })
  })
}
