import { actorOf, type Caller } from '../../../http/caller.ts'
import { refuseValues, type FieldError } from '../../../http/toast.ts'
import { writeAudit } from '../../activity/audits/writer.ts'
import { displayedName } from '../../database/rule-names.ts'
import type { Writer } from '../../database/transaction.ts'
import { nameSome } from '../../parts/name-some.ts'
import { tokenOf } from '../components/mint.ts'
import { openRule } from '../rules/open.ts'
import type { AuthoredRule } from '../rules/reader.ts'
import { requireSourceAuthor } from './access.ts'
import { moveFaults } from './faults.ts'
import { findSrgs } from './reader.ts'
import { relocationSubject, type OpenRelocation } from './record.ts'

export const NOT_PROPOSED = 'Could not propose the relocation.'

interface Proposal {
  readonly ruleId: number
  readonly token: string
}

/**
 * Proposes to move a requirement to another SRG, and returns the proposal's id. The proposal goes to the projects whose
 * SRG with this token the proposer can read, so that nobody can receive proposals just by choosing a prefix. 422 with
 * all reasons against it.
 */
export async function propose(writer: Writer, caller: Caller, { ruleId, token }: Proposal): Promise<number> {
  const { rule, grant } = await openRule(writer, caller, { ruleId, least: 'author' })
  const srgs = await findSrgs(writer, caller)
  const sentTo = srgs.filter((srg) => srg.token === token && srg.componentId !== rule.component_id)
  const errors = [
    ...sourceFaults(rule),
    ...tokenFaults(
      rule,
      token,
      srgs.map((srg) => srg.token),
    ),
    ...(await openFaults(writer, rule)),
  ]
  if (errors.length > 0) throw refuseValues(NOT_PROPOSED, errors)
  const id = await insertProposal(writer, caller, { ruleId, token })
  const projects = [...new Set(sentTo.map(({ projectId }) => projectId))]
  await writer
    .insertInto('relocation_destinations')
    .values(projects.map((project_id) => ({ relocation_id: id, project_id })))
    .execute()
  const { projectId, componentId } = grant
  const subject = relocationSubject({ id, projectId, componentId, name: nameOf(rule) })
  const after = { target_technology_token: token }
  await writeAudit(writer, actorOf(caller), { action: 'create', subject, after })
  return id
}

function nameOf({ prefix, number }: AuthoredRule): string {
  return displayedName(prefix, number)
}

function sourceFaults(rule: AuthoredRule): readonly FieldError[] {
  if (rule.document_type === 'srg') return moveFaults(rule)
  return [{ field: null, message: 'Only a requirement of an SRG can be relocated' }]
}

function tokenFaults({ prefix }: AuthoredRule, token: string, visibleTokens: readonly string[]): readonly FieldError[] {
  const field = 'target_technology_token'
  const ownToken = tokenOf(prefix)
  if (token === ownToken) return [{ field, message: `The requirement is in ${token} already` }]
  if (visibleTokens.includes(token)) return []
  const others = [...new Set(visibleTokens)].filter((visible) => visible !== ownToken).sort()
  const alternatives = others.length === 0 ? 'there are no others' : `there are ${nameSome(others)}`
  return [{ field, message: `You cannot see an SRG called ${token}; ${alternatives}` }]
}

async function openFaults(writer: Writer, rule: AuthoredRule): Promise<readonly FieldError[]> {
  const open = await writer
    .selectFrom('requirement_relocations')
    .select('target_technology_token as token')
    .where('source_rule_id', '=', rule.id)
    .where('executed_at', 'is', null)
    .where('declined_at', 'is', null)
    .executeTakeFirst()
  if (open === undefined) return []
  const message = `There is an open proposal for ${nameOf(rule)} already, to ${open.token}`
  return [{ field: null, message }]
}

async function insertProposal(writer: Writer, caller: Caller, { ruleId, token }: Proposal): Promise<number> {
  const now = new Date().toISOString()
  const { id } = await writer
    .insertInto('requirement_relocations')
    .values({
      source_rule_id: ruleId,
      target_technology_token: token,
      requested_by_id: caller.id,
      requested_by_name: caller.name,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Withdraws an open proposal. */
export async function withdraw(
  writer: Writer,
  caller: Caller,
  { id, componentId }: Pick<OpenRelocation, 'id' | 'componentId'>,
): Promise<void> {
  await writer.lock('component', componentId)
  const { relocation } = await requireSourceAuthor(writer, caller, id)
  await writer.deleteFrom('requirement_relocations').where('id', '=', id).execute()
  await writeAudit(writer, actorOf(caller), {
    action: 'destroy',
    subject: relocationSubject(relocation),
    before: { target_technology_token: relocation.token },
  })
}
