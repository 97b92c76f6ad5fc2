import { z } from 'zod'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { id, idParams, idValue, isStorable, unstorable } from '../../../http/input.ts'
import { toast, toastSchema } from '../../../http/toast.ts'
import { SEARCHED_TEXTS } from '../../../tables/field-lists.ts'
import type { Database } from '../../database/database.ts'
import type { Writer } from '../../database/transaction.ts'
import type { Parts } from '../../parts/parts.ts'
import { componentRole, requireComponentRole, type ComponentGrant } from '../access/component-access.ts'
import { excerptOf, shownEdits } from '../rule-bulk/excerpt.ts'
import { comment, ruleIds } from '../rule-bulk/inputs.ts'
import {
  applyReplacement,
  planReplacement,
  undoReplacement,
  type ReplaceOutcome,
  type Replacement,
} from '../rule-bulk/replace.ts'
import { matcher, REASONS, textsOf, type RewrittenText } from '../rule-bulk/texts.ts'
import { findEditorRules } from '../rule-editing/editor.ts'
import { nameOf, type ChangeContext } from '../rule-locks/locking.ts'
import { findRules, ofComponent } from '../rules/reader.ts'
import { ruleEditor } from '../rules/schemas.ts'

const TAG = 'Rules'

/** Find and replace in the texts of a component, and undo. */
export function ruleReplaceEndpoints(parts: Parts): readonly Endpoint[] {
  return [find(parts), replace(parts), undo(parts)]
}

const searched = z
  .string('Find must be a text')
  .min(1, "Find can't be blank")
  .max(1000, 'Find is too long (maximum is 1000 characters)')
  .refine(isStorable, unstorable('Find'))

function find({ database }: Parts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/components/{id}/find',
    operation: 'findInRules',
    tag: TAG,
    summary: 'The rules of a component that contain a text, in any letter case, by number',
    access: componentRole(database, 'read'),
    failure: 'Could not search.',
    input: z.object({ params: idParams, body: z.object({ find: searched }) }),
    answer: z.array(ruleEditor),
    handle: async ({ grant: { caller, componentId }, input: { body } }) => {
      const pattern = matcher(body.find, { caseSensitive: false, wholeWords: false })
      const rules = await findRules(database.read, ofComponent(componentId))
      const ids = rules
        .filter((rule) => textsOf(rule, SEARCHED_TEXTS).some(({ text }) => text.search(pattern) >= 0))
        .map((rule) => rule.id)
      if (ids.length === 0) return []
      const editorRules = await findEditorRules(database.read, (is) => is('rules.id', 'in', ids), caller)
      return [...editorRules].sort((a, b) => Number(a.rule_id) - Number(b.rule_id))
    },
  })
}

const MAX_CHOSEN = 5000
/** More checks and fields than a rule has. */
const MAX_CHOSEN_TEXTS = 200
/** More matches than a text has. */
const MAX_MATCHES = 100_000

const field = z.enum(SEARCHED_TEXTS, `Fields are: ${SEARCHED_TEXTS.join(', ')}`)
const checkId = z.int().nullable().meta({ description: 'For check_content: the number of the check' })

const chosenRule = z.object({
  rule_id: idValue,
  lock_version: z.int('Lock version must be a whole number'),
  texts: z
    .array(
      z.object({
        field,
        check_id: checkId.default(null),
        at: z.array(z.int().min(0)).max(MAX_MATCHES).meta({ description: '`at` of the matches' }),
      }),
    )
    .max(MAX_CHOSEN_TEXTS),
})

const replaceBody = z.object({
  find: searched,
  replace: z
    .string('Replace must be a text')
    .max(1000, 'Replace is too long (maximum is 1000 characters)')
    .refine(isStorable, unstorable('Replace')),
  fields: z
    .array(field)
    .min(1, "Fields can't be blank")
    .max(SEARCHED_TEXTS.length, 'There are too many fields')
    .optional(),
  case_sensitive: z.boolean('Case sensitive must be true or false').default(false),
  whole_words: z.boolean('Whole words must be true or false').default(false),
  rule_ids: ruleIds.optional(),
  only: z
    .array(chosenRule, 'Only must be a list of rules')
    .min(1, "Only can't be blank")
    .max(MAX_CHOSEN, `There are more than ${MAX_CHOSEN} rules`)
    .optional()
    .meta({ description: 'Replaces single matches of a preview, and none in a rule that has changed since' }),
  dry_run: z.boolean('Dry run must be true or false').default(false),
  comment,
})

const outcomeSchema = z.object({
  toast: toastSchema,
  dry_run: z.boolean(),
  replacement_id: z
    .int()
    .nullable()
    .meta({ description: 'Names the replacement when it is undone; null for a dry run' }),
  rules: z.array(
    z.object({
      id: z.int(),
      displayed_name: z.string(),
      lock_version: z.int().meta({ description: 'Current version of the rule' }),
      fields: z.array(
        z.object({
          field,
          check_id: checkId,
          count: z.int().meta({ description: 'Number of matches that are replaced' }),
          before: z.string().meta({
            description: 'The text around all matches that are replaced; " … " marks omitted text',
          }),
          after: z.string().meta({ description: 'The same with the matches replaced' }),
          hits: z
            .array(
              z.object({
                at: z.int().meta({ description: 'Index of the match in the text, in UTF-16 code units' }),
                lead: z.string().meta({ description: 'Text before the match' }),
                before: z.string(),
                after: z.string(),
                trail: z.string().meta({ description: 'Text after the match' }),
              }),
            )
            .meta({ description: 'Each match by itself' }),
        }),
      ),
    }),
  ),
  skipped: z.array(
    z.object({
      id: z.int(),
      displayed_name: z.string(),
      field,
      check_id: checkId,
      reason: z.enum(Object.keys(REASONS)),
      message: z.string(),
    }),
  ),
  counts: z.object({ rules: z.int(), fields: z.int(), occurrences: z.int(), skipped: z.int() }),
})

type OutcomeAnswer = z.input<typeof outcomeSchema>

function replace({ database }: Parts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/components/{id}/replace',
    operation: 'replaceInRules',
    tag: TAG,
    summary: 'Replace a text in the rules of a component; with dry_run, show what would be replaced',
    access: componentRole(database, 'author', { unreleased: true }),
    failure: 'Could not replace.',
    input: z.object({ params: idParams, body: replaceBody }),
    answer: outcomeSchema,
    handle: async ({ grant, input: { body } }) => {
      const { componentId } = grant
      const replacement: Replacement = {
        find: body.find,
        replace: body.replace,
        fields: body.fields ?? SEARCHED_TEXTS,
        caseSensitive: body.case_sensitive,
        wholeWords: body.whole_words,
        ruleIds: body.rule_ids ?? null,
        choices: body.only ?? null,
      }
      if (body.dry_run) {
        const plan = await planReplacement(database.read, componentId, replacement)
        return shapeOutcome(plan, {
          title: 'Nothing has been changed yet.',
          id: null,
          unit: 'matches',
        })
      }
      const result = await change(database, grant, (writer, projectId) => {
        const context = { caller: grant.caller, projectId, comment: body.comment ?? null }
        return applyReplacement(writer, componentId, { ...replacement, context })
      })
      return shapeOutcome(result, { title: 'Text replaced.', id: result.id, unit: 'matches' })
    },
  })
}

/** Makes a change in a transaction, with the component locked, if the caller is still an author. */
function change<T>(
  database: Database,
  { caller, componentId }: ComponentGrant,
  work: (writer: Writer, projectId: number) => Promise<T>,
): Promise<T> {
  return database.transact(async (writer) => {
    await writer.lock('component', componentId)
    const { projectId } = await requireComponentRole(writer, caller, { componentId, least: 'author', unreleased: true })
    return work(writer, projectId)
  })
}

interface OutcomeHeading {
  readonly title: string
  readonly id: number | null
  /** The message counts the edits in this unit. */
  readonly unit: 'matches' | 'texts'
}

function shapeOutcome({ rewritten, unchanged }: ReplaceOutcome, { title, id, unit }: OutcomeHeading): OutcomeAnswer {
  const rules = rewritten.map(({ rule, texts }) => ({
    ...nameOf(rule),
    lock_version: id === null ? rule.lock_version : rule.lock_version + 1,
    fields: texts.map(shapeText),
  }))
  const fields = rules.flatMap((rule) => rule.fields)
  const occurrences = fields.reduce((sum, { count }) => sum + count, 0)
  const summary = `${occurrences} ${unit} in ${rules.length} rules; ${unchanged.length} texts left unchanged`
  return {
    ...toast(title, summary),
    dry_run: id === null,
    replacement_id: id,
    rules,
    skipped: [...unchanged],
    counts: { rules: rules.length, fields: fields.length, occurrences, skipped: unchanged.length },
  }
}

type ShapedText = OutcomeAnswer['rules'][number]['fields'][number]

function shapeText({ field: name, checkId, text, edits }: RewrittenText): ShapedText {
  return {
    field: name,
    check_id: checkId,
    count: edits.length,
    ...excerptOf(text, edits),
    hits: [...shownEdits(text, edits)],
  }
}

function undo({ database }: Parts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/components/{id}/replace/{replacementId}/undo',
    operation: 'undoReplaceInRules',
    tag: TAG,
    summary: 'Undo a replacement, except in texts that have changed since',
    access: componentRole(database, 'author', { unreleased: true }),
    failure: 'Could not undo.',
    input: z.object({ params: idParams.extend({ replacementId: id }) }),
    answer: outcomeSchema,
    handle: async ({ grant, input: { params } }) => {
      const { replacementId } = params
      const result = await change(database, grant, (writer, projectId) => {
        const context: ChangeContext = { caller: grant.caller, projectId, comment: null }
        return undoReplacement(writer, grant.componentId, { replacementId, context })
      })
      return shapeOutcome(result, { title: 'Replacement undone.', id: result.id, unit: 'texts' })
    },
  })
}
