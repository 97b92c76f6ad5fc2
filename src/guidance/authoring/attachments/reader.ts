import { z } from 'zod'
import { notFound } from '../../../http/input.ts'
import type { Reader } from '../../database/transaction.ts'

export const attachmentSchema = z.object({
  id: z.int(),
  rule_id: z.int(),
  name: z.string(),
  media_type: z.string(),
  bytes: z.int(),
  sha256: z.string().meta({ description: 'SHA-256 of the bytes (hex)' }),
  author_name: z.string(),
  created_at: z.string(),
})

export type Attachment = z.infer<typeof attachmentSchema>

const COLUMNS = ['id', 'rule_id', 'name', 'media_type', 'bytes', 'sha256', 'author_name', 'created_at'] as const

/** The attachments of a rule, oldest first, without their bytes. */
export function findAttachments(reader: Reader, ruleId: number): Promise<Attachment[]> {
  return reader.selectFrom('attachments').select(COLUMNS).where('rule_id', '=', ruleId).orderBy('id').execute()
}

export async function requireAttachment(reader: Reader, id: number): Promise<Attachment> {
  const attachment = await reader.selectFrom('attachments').select(COLUMNS).where('id', '=', id).executeTakeFirst()
  if (attachment === undefined) throw notFound()
  return attachment
}

/** The bytes, part by part. Fails if the attachment is removed meanwhile, so that no file is cut off unnoticed. */
export async function* contentOf(
  reader: Reader,
  { id, bytes }: Pick<Attachment, 'id' | 'bytes'>,
): AsyncGenerator<Uint8Array, void> {
  for (let position = 0, sent = 0; sent < bytes; position += 1) {
    const { content } = await reader
      .selectFrom('attachment_parts')
      .select('content')
      .where('attachment_id', '=', id)
      .where('position', '=', position)
      .executeTakeFirstOrThrow()
    sent += content.byteLength
    yield Buffer.from(content)
  }
}
