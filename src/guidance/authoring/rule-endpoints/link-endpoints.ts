import { z } from 'zod'
import { type Access, callerAccess } from '../../../http/access.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import {
  id as idText,
  idParams,
  idValue,
  isStorable,
  refuseInput,
  requiredText,
  unstorable,
} from '../../../http/input.ts'
import { plainFault } from '../../../http/plain-faults.ts'
import { confirmation, refuseValues, toast } from '../../../http/toast.ts'
import type { Database } from '../../database/database.ts'
import type { Parts } from '../../parts/parts.ts'
import { componentRole, requireRuleRole, ruleRole, type RuleGrant } from '../access/component-access.ts'
import { findByWords } from '../rule-bulk/find-by-words.ts'
import { comment, ruleIds } from '../rule-bulk/inputs.ts'
import { findRelatedRules, relatedRules } from '../rule-links/related.ts'
import { linkRules, NOT_LINKED, unlinkRules } from '../rule-links/satisfactions.ts'
import { linkMany, openMany } from '../rule-links/satisfy-many.ts'
import { findHeads, ofComponent, type RuleListHead } from '../rules/reader.ts'
import { linked, ruleBase } from '../rules/schemas.ts'
import { lockedFieldsOf, shapeBase, shapeLink } from '../rules/shape.ts'

const TAG = 'Rules'

/** Links between rules. */
export function ruleLinkEndpoints(parts: Parts): readonly Endpoint[] {
  return [satisfy(parts), satisfyMany(parts), unsatisfy(parts), related(parts), picker(parts)]
}

const linkBody = z.object({ rule_id: idValue, satisfied_by_rule_id: idValue })

/** Admits authors of the rule in the body. */
function pairAuthor(database: Database): Access<RuleGrant> {
  return callerAccess('component author, until it is released; site admin', async (caller, request) => {
    const parsed = z.object({ body: linkBody }).safeParse({ body: request.body }, { error: plainFault })
    if (!parsed.success) throw refuseInput(parsed.error, request, NOT_LINKED)
    const { rule_id: ruleId } = parsed.data.body
    return requireRuleRole(database.read, caller, { ruleId, least: 'author', unreleased: true })
  })
}

function satisfy({ database }: Parts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/rule_satisfactions',
    operation: 'createRuleSatisfaction',
    tag: TAG,
    summary: 'Record that a rule is satisfied by another one',
    refusals: ['not_found', 'rule_locked'],
    access: pairAuthor(database),
    failure: NOT_LINKED,
    input: z.object({ body: linkBody }),
    answer: confirmation,
    handle: async ({ grant: { caller }, input: { body } }) => {
      await database.transact((writer) => linkRules(writer, caller, body))
      return toast('Satisfied-by recorded.', 'The other rule now satisfies this one.')
    },
  })
}

const srgIds = z
  .array(requiredText('SRG id', { max: 255 }), 'SRG ids must be a list of texts')
  .max(1000, 'There are more than 1000 SRG ids')
  .meta({ description: 'Ids of requirements: all their rules, except the satisfying one' })

const manyPairs = z.object({
  satisfied_by_rule_id: idValue,
  rule_ids: ruleIds.optional(),
  srg_ids: srgIds.optional(),
  comment,
})

function satisfyMany({ database }: Parts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/components/{id}/rules/bulk_satisfies',
    operation: 'satisfyRules',
    tag: TAG,
    summary: 'Record that many rules of a component are satisfied by one rule: all or none',
    access: componentRole(database, 'author', { unreleased: true }),
    failure: NOT_LINKED,
    input: z.object({ params: idParams, body: manyPairs }),
    answer: confirmation.extend({
      rule_ids: z.array(z.int()).meta({ description: 'Rules that were linked; others were linked before' }),
    }),
    handle: async ({ grant: { caller, componentId }, input: { body } }) => {
      const { satisfied_by_rule_id: satisfiedBy, rule_ids: ids = [], srg_ids = [], comment = null } = body
      if (ids.length + srg_ids.length === 0)
        throw refuseValues(NOT_LINKED, [{ field: 'rule_ids', message: 'Rule ids or SRG ids are required' }])
      const linkedIds = await database.transact(async (writer) => {
        const grant = await openMany(writer, caller, { componentId, satisfiedBy })
        const context = { caller, projectId: grant.projectId, comment }
        return linkMany(writer, { componentId, satisfiedBy, ruleIds: ids, srgIds: srg_ids }, context)
      })
      const confirmation = toast('Satisfied-by recorded.', `${linkedIds.length} rules are now satisfied.`)
      return { ...confirmation, rule_ids: [...linkedIds] }
    },
  })
}

function unsatisfy({ database }: Parts): Endpoint {
  return endpoint({
    method: 'delete',
    path: '/rule_satisfactions/{id}',
    operation: 'deleteRuleSatisfaction',
    tag: TAG,
    summary: 'Remove a satisfied-by link; the body names the two rules, and the id in the path is ignored',
    refusals: ['rule_locked', 'not_found'],
    access: pairAuthor(database),
    failure: NOT_LINKED,
    input: z.object({ params: z.object({ id: z.string() }), body: linkBody }),
    answer: confirmation,
    handle: async ({ grant: { caller }, input: { body } }) => {
      await database.transact((writer) => unlinkRules(writer, caller, body))
      return toast('Satisfied-by removed.', 'The rule is no longer satisfied by the other one.')
    },
  })
}

function related({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/rules/{id}/search/related_rules',
    operation: 'findRelatedRules',
    tag: TAG,
    summary: 'Rules of other components and published STIGs for the same SRG requirement',
    access: ruleRole(database, 'viewer'),
    input: z.object({ params: idParams }),
    answer: relatedRules,
    handle: ({ grant: { caller, ruleId } }) => findRelatedRules(database.read, caller, ruleId),
  })
}

const pickerRule = ruleBase.extend({
  locked_fields: z.record(z.string(), z.literal(true)),
  justified: z.boolean().meta({ description: 'Whether it has a status justification' }),
  satisfies: z.array(linked).optional().meta({ description: '(stig)' }),
  satisfied_by: z.array(linked).optional().meta({ description: '(stig)' }),
})

const ids = z
  .string()
  .max(1000)
  .transform((text) => text.split(','))
  .pipe(z.array(idText))
  .meta({ type: 'string', items: undefined, description: 'Only these, such as 12,14' })

const words = z
  .string()
  .max(1000)
  .refine(isStorable, unstorable('Text'))
  .meta({ description: 'Only rules that have all of these words in their ids, CCIs or texts, in any letter case' })

function picker({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/components/{id}/rules_picker',
    operation: 'pickRules',
    tag: TAG,
    summary: 'The rules of a component in short, for a list to choose from',
    access: componentRole(database, 'read'),
    compresses: true,
    lists: ['ids'],
    input: z.object({ params: idParams, query: z.object({ ids: ids.optional(), text: words.optional() }) }),
    answer: z.object({ rules: z.array(pickerRule) }),
    handle: async ({ grant: { componentId }, input: { query } }) => {
      const ofThisComponent = ofComponent(componentId)
      const { ids: requestedIds = null, text } = query
      const rules = await findHeads(database.read, (is) =>
        requestedIds === null ? ofThisComponent(is) : is.and([ofThisComponent(is), is('rules.id', 'in', requestedIds)]),
      )
      if (text !== undefined) {
        const matchingIds = await findByWords(database.read, ofThisComponent, text)
        return { rules: rules.filter((rule) => matchingIds.has(rule.id)).map(shapePickerRule) }
      }
      return { rules: rules.map(shapePickerRule) }
    },
  })
}

function shapePickerRule(rule: RuleListHead): z.infer<typeof pickerRule> {
  const ruleFields = { locked_fields: { ...lockedFieldsOf(rule) }, justified: rule.justified === 1 }
  if (rule.document_type === 'srg') return Object.assign(shapeBase(rule), ruleFields)
  const satisfies = rule.satisfies.map(shapeLink)
  return Object.assign(shapeBase(rule), {
    ...ruleFields,
    satisfies,
    satisfied_by: rule.satisfiedBy.map(shapeLink),
  })
}
