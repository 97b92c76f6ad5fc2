import type { components } from '#api-types'
import { countedNoun } from '../../parts/words/counted-noun.ts'

export type ImportJob = components['schemas']['GetImportAnswer']

type StoredMember = ImportJob['imported'][number]

/** The result of one file. */
export interface Member {
  /** Its path in the zip, or the name of a single file. */
  readonly name: string
  readonly state: 'imported' | 'replaced' | 'there already' | 'refused' | 'skipped'
  /** Path of the page of the imported benchmark. */
  readonly path: string | null
  readonly text: string
  /** Code of a refusal. */
  readonly code: string | null
}

/** Lists refused files first, because they need action. */
export function membersOf(job: ImportJob): readonly Member[] {
  const stored = (member: StoredMember, state: Member['state']): Member => ({
    name: member.member ?? job.file_name,
    state,
    code: null,
    path: `/${member.kind}s/${member.id}`,
    text: `${member.title} ${member.version}, ${countedNoun(member.rule_count, 'rule')}${warningNote(member)}`,
  })
  const failed = ({ member, code, detail }: ImportJob['refused'][number], state: Member['state']): Member => ({
    name: member ?? job.file_name,
    state,
    path: null,
    text: detail,
    code,
  })
  const reference = ({ name, item_count, outcome }: ImportJob['reference_data'][number]): Member => ({
    name: job.file_name,
    state: outcome === 'imported' ? 'imported' : 'there already',
    path: null,
    text: `${name}, ${countedNoun(item_count, 'item')}`,
    code: null,
  })
  return [
    ...job.reference_data.map(reference),
    ...job.refused.map((member) => failed(member, 'refused')),
    ...job.imported.map((member) => stored(member, member.replaced ? 'replaced' : 'imported')),
    ...job.already_imported.map((member) => stored(member, 'there already')),
    ...job.skipped.map((member) => failed(member, 'skipped')),
  ]
}

function warningNote({ warnings }: StoredMember): string {
  return warnings.length === 0 ? '' : `; ${countedNoun(warnings.length, 'warning')}`
}

const CODES_WITH_FIELD: readonly string[] = ['unknown_benchmark_kind', 'version_unknown', 'version_taken']

/** Whether the form has a field for what a refusal asks for. */
export function hasField(code: string): boolean {
  return CODES_WITH_FIELD.includes(code)
}

export function isOver({ state }: Pick<ImportJob, 'state'>): boolean {
  return state !== 'waiting' && state !== 'running'
}

const STATES: Readonly<Record<ImportJob['state'], string>> = {
  waiting: 'Waits for its turn.',
  running: 'Is being read:',
  finished: 'Done:',
  refused: 'Refused.',
  failed: 'The service failed; its log says why.',
}

/** The progress as a sentence. */
export function progressOf(job: ImportJob): string {
  const { state, done, total, refused } = job
  if (state === 'waiting' || state === 'refused' || state === 'failed') return STATES[state]
  const progress = `${STATES[state]} ${done} of ${countedNoun(total, 'file')}`
  return refused.length === 0 ? `${progress}.` : `${progress}, ${refused.length} refused.`
}
