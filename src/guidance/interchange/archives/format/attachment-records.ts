import { contentOf } from '../../../authoring/attachments/reader.ts'
import { ruleIdOf } from '../../../database/rule-names.ts'
import type { Reader } from '../../../database/transaction.ts'
import type { Member } from '../../exports/files/zip.ts'

/** An attachment of a component, with the name of its file in the archive. */
interface ArchivedFile {
  readonly id: number
  readonly bytes: number
  readonly record: object
  readonly file: string
}

/** The attachments of the rules that are in the archive, in a fixed order. */
export async function findArchivedFiles(
  reader: Reader,
  componentId: number,
  numbers: ReadonlyMap<number, number>,
): Promise<readonly ArchivedFile[]> {
  const rows = await reader
    .selectFrom('attachments')
    .innerJoin('rules', 'rules.id', 'attachments.rule_id')
    .select(['attachments.id', 'attachments.rule_id', 'attachments.name', 'attachments.sha256', 'attachments.bytes'])
    .select(['attachments.author_name', 'attachments.created_at'])
    .where('rules.component_id', '=', componentId)
    .orderBy('rules.number')
    .orderBy('attachments.id')
    .execute()
  return rows.flatMap(({ id, rule_id, bytes, ...described }, index) => {
    const number = numbers.get(rule_id)
    // Names of people may be odd for the file system of the reader, so files have numbers.
    const file = `attachments/${index + 1}`
    return number === undefined
      ? []
      : [{ id, bytes, file, record: { rule_id: ruleIdOf(number), file, ...described, bytes } }]
  })
}

/** The files, one after the other. */
export function* membersOf(reader: Reader, files: readonly ArchivedFile[]): Generator<Member, void> {
  for (const one of files) yield { name: one.file, content: contentOf(reader, one) }
}
