import { z } from 'zod'
import { signedIn } from '../../../http/access.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { idParams, NO_INPUT, searchText } from '../../../http/input.ts'
import { confirmation, toast, toastSchema } from '../../../http/toast.ts'
import type { Parts } from '../../parts/parts.ts'
import { ruleRole } from '../access/component-access.ts'
import { sourceAuthor, targetAuthor } from './access.ts'
import { accept, decline, NOT_ACCEPTED, NOT_DECLINED, previewAcceptance } from './decide.ts'
import { NOT_PROPOSED, propose, withdraw } from './propose.ts'
import { findDestinations, findRelocations } from './reader.ts'
import { deciding, declining, destination, preview, proposing, relocation } from './schemas.ts'

const TAG = 'Relocations'

/** Relocations of requirements from one SRG to another (decision 0020). */
export function relocationEndpoints(parts: Parts): readonly Endpoint[] {
  return [
    create(parts),
    list(parts),
    destinations(parts),
    remove(parts),
    dryRun(parts),
    acceptOne(parts),
    declineOne(parts),
  ]
}

function create({ database }: Parts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/rules/{id}/relocations',
    operation: 'createRelocation',
    tag: TAG,
    summary: 'Propose to move a requirement to another SRG',
    access: ruleRole(database, 'author', { unreleased: true }),
    failure: NOT_PROPOSED,
    input: z.object({ params: idParams, body: proposing }),
    answer: z.object({ toast: toastSchema, id: z.int() }),
    handle: async ({ grant: { caller, ruleId }, input: { body } }) => {
      const { target_technology_token: token } = body.requirement_relocation
      const id = await database.transact((writer) => propose(writer, caller, { ruleId, token }))
      return { ...toast('Relocation proposed.', `Proposed for the ${token} SRG.`), id }
    },
  })
}

function list({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/requirement_relocations',
    operation: 'listRelocations',
    tag: TAG,
    summary: 'Open and declined proposals that concern the caller, the newest 1,000, oldest first',
    access: signedIn,
    input: z.object({ query: z.object({ target_technology_token: searchText.optional() }) }),
    answer: z.array(relocation),
    handle: ({ grant: { caller }, input: { query } }) =>
      findRelocations(database.read, caller, query.target_technology_token),
  })
}

function destinations({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/requirement_relocations/destinations',
    operation: 'listRelocationDestinations',
    tag: TAG,
    summary: 'The SRGs that requirements can be moved to, by the leading letters of their prefixes',
    access: signedIn,
    input: NO_INPUT,
    answer: z.array(destination),
    handle: ({ grant: { caller } }) => findDestinations(database.read, caller),
  })
}

const NOT_MOVED_MESSAGE = 'The requirement stays where it is.'

function remove({ database }: Parts): Endpoint {
  return endpoint({
    method: 'delete',
    path: '/requirement_relocations/{id}',
    operation: 'deleteRelocation',
    tag: TAG,
    summary: 'Withdraw an open proposal',
    refusals: ['validation_failed'],
    access: sourceAuthor(database),
    input: z.object({ params: idParams }),
    answer: confirmation,
    handle: async ({ grant: { caller, relocation: open } }) => {
      await database.transact((writer) => withdraw(writer, caller, open))
      return toast('Relocation proposal withdrawn.', NOT_MOVED_MESSAGE)
    },
  })
}

function dryRun({ database }: Parts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/requirement_relocations/{id}/dry_run',
    operation: 'previewRelocation',
    tag: TAG,
    summary: 'Preview accepting a proposal: its effects, or what prevents it',
    access: targetAuthor(database, NOT_ACCEPTED),
    failure: NOT_ACCEPTED,
    input: z.object({ params: idParams, body: deciding }),
    answer: preview,
    handle: ({ grant }) => previewAcceptance(database.read, grant),
  })
}

function acceptOne({ database }: Parts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/requirement_relocations/{id}/accept',
    operation: 'acceptRelocation',
    tag: TAG,
    summary: 'Accept a proposal: move the requirement to the target, with its comments',
    access: targetAuthor(database, NOT_ACCEPTED),
    failure: NOT_ACCEPTED,
    input: z.object({ params: idParams, body: deciding }),
    answer: z.object({ toast: toastSchema, landed_rule_id: z.int() }),
    handle: async ({ grant }) => {
      const landed_rule_id = await database.transact((writer) => accept(writer, grant))
      return { ...toast('Concurred.', 'The requirement now belongs to the target.'), landed_rule_id }
    },
  })
}

function declineOne({ database }: Parts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/requirement_relocations/{id}/decline',
    operation: 'declineRelocation',
    tag: TAG,
    summary: 'Decline a proposal, with a reason that its authors see',
    access: targetAuthor(database, NOT_DECLINED),
    failure: NOT_DECLINED,
    input: z.object({ params: idParams, body: declining }),
    answer: confirmation,
    handle: async ({ grant, input: { body } }) => {
      const { adjudication_rationale: rationale } = body.requirement_relocation
      await database.transact((writer) => decline(writer, grant, rationale))
      return toast('Proposal declined.', NOT_MOVED_MESSAGE)
    },
  })
}
