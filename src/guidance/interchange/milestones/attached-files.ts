import { displayedName } from '../../database/rule-names.ts'
import type { Reader } from '../../database/transaction.ts'
import type { MilestoneComponent } from './milestone-component.ts'

/** A file that was attached to a rule when a milestone was reached. */
export interface AttachedFile {
  /** The displayed name of the rule. */
  readonly rule: string
  readonly name: string
  readonly bytes: number | null
  readonly sha256: string
  /** Numbers the files of the component, from 1. */
  readonly number: number
  /** The same file in the component now; null if it has been removed since. */
  readonly present: { readonly id: number; readonly bytes: number } | null
}

export async function findAttachedFiles(
  reader: Reader,
  componentId: number,
  { component: { prefix }, attachments }: MilestoneComponent,
): Promise<readonly AttachedFile[]> {
  if (attachments.length === 0) return []
  const rows = await reader
    .selectFrom('attachments')
    .innerJoin('rules', 'rules.id', 'attachments.rule_id')
    .select(['attachments.id', 'attachments.sha256', 'attachments.bytes'])
    .where('rules.component_id', '=', componentId)
    .execute()
  const present = new Map(rows.map(({ sha256, ...file }) => [sha256, file]))
  return attachments.map(({ rule_id, name, bytes, sha256 }, index) => ({
    rule: displayedName(prefix, Number(rule_id)),
    name,
    bytes,
    sha256,
    number: index + 1,
    present: present.get(sha256) ?? null,
  }))
}
