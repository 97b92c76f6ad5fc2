import type { AuthoredRule } from '../rules/reader.ts'

/** What a rule lacks for its status. It does not keep the component from being released. */
export type MissingPart =
  | 'status_missing'
  | 'check_missing'
  | 'fix_missing'
  | 'justification_missing'
  | 'mitigation_missing'
  | 'artifact_missing'
  | 'changes_requested'
  | 'under_review'

/** Whether a text says anything. */
function says(text: string | null): boolean {
  return text !== null && text.trim() !== ''
}

function hasCheck({ checks }: AuthoredRule): boolean {
  return checks.some(({ content }) => says(content))
}

/** What each status asks for: DISA's vendor guide has the same table as its blanked columns. */
const ASKED: Readonly<
  Record<
    AuthoredRule['status'],
    readonly (readonly [MissingPart, (rule: AuthoredRule) => boolean])[]
  >
> = {
  'Not Yet Determined': [],
  'Applicable - Configurable': [
    ['check_missing', hasCheck],
    ['fix_missing', ({ fixtext }) => says(fixtext)],
  ],
  'Applicable - Inherently Meets': [
    ['justification_missing', ({ status_justification }) => says(status_justification)],
    ['artifact_missing', ({ artifact_description }) => says(artifact_description)],
  ],
  'Applicable - Does Not Meet': [
    ['justification_missing', ({ status_justification }) => says(status_justification)],
    ['mitigation_missing', ({ mitigations }) => says(mitigations)],
  ],
  Applicable: [
    ['check_missing', hasCheck],
    ['fix_missing', ({ fixtext }) => says(fixtext)],
  ],
  'Not Applicable': [
    ['justification_missing', ({ status_justification }) => says(status_justification)],
  ],
}

/** What a reviewer would ask about. A rule that another satisfies is written there. */
export function lacksOf(rule: AuthoredRule): readonly MissingPart[] {
  const lacks: MissingPart[] = []
  if (rule.status === 'Not Yet Determined' && rule.document_type === 'stig')
    lacks.push('status_missing')
  if (rule.satisfiedBy.length === 0)
    for (const [lack, isThere] of ASKED[rule.status]) if (!isThere(rule)) lacks.push(lack)
  if (rule.changes_requested === 1) lacks.push('changes_requested')
  if (rule.review_requestor_id !== null) lacks.push('under_review')
  return lacks
}
