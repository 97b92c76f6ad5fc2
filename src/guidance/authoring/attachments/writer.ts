import { actorOf, type Caller } from '../../../http/caller.ts'
import { refuseValues } from '../../../http/toast.ts'
import { writeAudit } from '../../activity/audits/writer.ts'
import { recordEvents } from '../../activity/events/record.ts'
import type { Writer } from '../../database/transaction.ts'
import { partsOf } from '../../parts/stored-parts.ts'
import { updateRow } from '../rule-editing/writer.ts'
import { requireUnlocked } from '../rule-locks/locks.ts'
import { openRule, ruleSubject, type OpenRule } from '../rules/open.ts'
import { findAttachments, requireAttachment } from './reader.ts'
import type { NewAttachment } from './receive.ts'
import { MAX_COMPONENT_BYTES, MAX_PER_COMPONENT, MAX_PER_RULE } from './types.ts'

export const NOT_ATTACHED = 'Could not attach the file.'

/** The author of an attachment. An author named in an archive may have no account here. */
interface Author {
  readonly id: number | null
  readonly name: string
}

/** Stores the record and the bytes of a file. Checks nothing, and writes no history. */
export async function insertAttachment(
  writer: Writer,
  ruleId: number,
  { file, author, createdAt }: { readonly file: NewAttachment; readonly author: Author; readonly createdAt: string },
): Promise<number> {
  const { id } = await writer
    .insertInto('attachments')
    .values({
      rule_id: ruleId,
      user_id: author.id,
      author_name: author.name,
      name: file.name,
      media_type: file.mediaType,
      sha256: file.sha256,
      bytes: file.content.length,
      created_at: createdAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const part of partsOf(file.content))
    await writer
      .insertInto('attachment_parts')
      .values({ attachment_id: id, ...part })
      .execute()
  return id
}

/** Adds a file to a rule, and returns its id. Refuses locked rules, and files beyond the limits. */
export async function attach(
  writer: Writer,
  { ruleId, file, caller }: { readonly ruleId: number; readonly file: NewAttachment; readonly caller: Caller },
): Promise<number> {
  const opened = await openRule(writer, caller, { ruleId, least: 'author' })
  requireUnlocked(opened.rule, ['attachments'])
  const before = await namesOf(writer, ruleId)
  if (before.length >= MAX_PER_RULE) throw refuse(`A rule has at most ${MAX_PER_RULE} attachments. Remove one first.`)
  const stored = await totalsOf(writer, opened.rule.component_id)
  if (stored.files >= MAX_PER_COMPONENT)
    throw refuse(`A component has at most ${MAX_PER_COMPONENT} attachments. Remove some first.`)
  if (stored.bytes + file.content.length > MAX_COMPONENT_BYTES)
    throw refuse(
      `The attachments of a component have at most ${MAX_COMPONENT_BYTES / 1_000_000} MB. Remove some first.`,
    )
  const author = { id: caller.id, name: caller.name }
  const id = await insertAttachment(writer, ruleId, { file, author, createdAt: new Date().toISOString() })
  await recordChange(writer, opened, { caller, before })
  return id
}

export async function detach(
  writer: Writer,
  { id, caller }: { readonly id: number; readonly caller: Caller },
): Promise<void> {
  const { rule_id: ruleId } = await requireAttachment(writer, id)
  const opened = await openRule(writer, caller, { ruleId, least: 'author' })
  await requireAttachment(writer, id)
  requireUnlocked(opened.rule, ['attachments'])
  const before = await namesOf(writer, ruleId)
  await writer.deleteFrom('attachments').where('id', '=', id).execute()
  await recordChange(writer, opened, { caller, before })
}

function refuse(message: string): Error {
  return refuseValues(NOT_ATTACHED, [{ field: 'file', message }])
}

async function namesOf(writer: Writer, ruleId: number): Promise<readonly string[]> {
  return (await findAttachments(writer, ruleId)).map(({ name }) => name)
}

async function totalsOf(
  writer: Writer,
  componentId: number,
): Promise<{ readonly bytes: number; readonly files: number }> {
  const { bytes, files } = await writer
    .selectFrom('attachments')
    .innerJoin('rules', 'rules.id', 'attachments.rule_id')
    .select((is) => is.fn.sum<number | string | null>('attachments.bytes').as('bytes'))
    .select((is) => is.fn.countAll<number | string>().as('files'))
    .where('rules.component_id', '=', componentId)
    .executeTakeFirstOrThrow()
  return { bytes: Number(bytes ?? 0), files: Number(files) }
}

/** An attachment is not an edit of the rule: the version stays, so that editors of the rule get no conflict. */
async function recordChange(
  writer: Writer,
  { rule, grant: { projectId } }: OpenRule,
  { caller, before }: { readonly caller: Caller; readonly before: readonly string[] },
): Promise<void> {
  await writeAudit(writer, actorOf(caller), {
    action: 'update',
    subject: ruleSubject(rule, projectId),
    before: { attachments: before },
    after: { attachments: await namesOf(writer, rule.id) },
  })
  await recordEvents(writer, actorOf(caller), [updateRow(rule, projectId, ['attachments'])])
}
