import { z } from 'zod'
import { isStorable, replaceForbidden } from '../../../../platform/characters.ts'
import { messageOf, Refusal } from '../../../../platform/errors.ts'
import { CHECKLIST_FIELDS } from '../../../catalogue/checklists/checklist.ts'
import { SNAPSHOT } from '../../exports/component/snapshot.ts'
import type { MergedField } from '../planning/fields.ts'
import { checklistValues } from './ckl.ts'
import type { FileRule } from './merge-file.ts'
import { notMergeable } from './refusals.ts'

const text = z
  .string()
  .transform((value) => (isStorable(value) ? value : replaceForbidden(value)))
  .nullish()

const NAMES: readonly (readonly [string, MergedField])[] = [
  ['rule_title', 'title'],
  ['discussion', 'vuln_discussion'],
  ['check_content', 'check_content'],
  ['weight', 'rule_weight'],
  ['documentable', 'documentable'],
  ...CHECKLIST_FIELDS.flatMap(({ cklb, name }) => (cklb === null ? [] : [[cklb, name] as const])),
]

const READ_MEMBERS = [...NAMES.map(([member]) => member), 'group_id', 'group_title', 'rule_version', 'severity']

const rule = z.object(Object.fromEntries(READ_MEMBERS.map((member) => [member, text])))
const checklist = z.object({
  [SNAPSHOT]: z.string().optional(),
  stigs: z.array(z.object({ rules: z.array(rule) })).max(100),
})

/** Reads the texts of rules from a checklist for STIG Viewer 3, without the results. */
export function readCklb(bytes: Uint8Array): {
  readonly rules: readonly FileRule[]
  readonly snapshots: readonly string[]
} {
  const parsed = checklist.safeParse(parse(bytes), { reportInput: false })
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw notMergeable(`The JSON is not a CKLB checklist: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}.`)
  }
  const { [SNAPSHOT]: snapshot, stigs } = parsed.data
  return {
    rules: stigs.flatMap(({ rules }) => rules.map(ruleOf)),
    snapshots: typeof snapshot === 'string' ? [snapshot] : [],
  }
}

function parse(bytes: Uint8Array): unknown {
  let decoded: string
  try {
    decoded = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Refusal('bad_encoding', 'The checklist is not in UTF-8.')
  }
  try {
    return JSON.parse(decoded)
  } catch (error) {
    throw notMergeable(`The file is not JSON ${/at position \d+/.exec(messageOf(error))?.[0] ?? ''}`.trimEnd() + '.')
  }
}

function ruleOf(members: z.output<typeof rule>): FileRule {
  const statedValues = NAMES.flatMap(([member, field]) => {
    const value = members[member]
    return typeof value === 'string' ? [[field, value] as const] : []
  })
  const stigId = members['rule_version']?.trim() ?? ''
  const place = stigId || (members['group_id']?.trim() ?? '')
  const srgId = members['group_title']?.trim() ?? ''
  return { place, srgId, stigId, values: checklistValues(statedValues, members['severity'] ?? '') }
}
