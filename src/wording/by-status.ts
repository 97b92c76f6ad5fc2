import type { WrittenRule, WrittenText } from './rule.ts'

/** The texts that a rule with this status has of its own, and those that it requires. */
export interface StatusRow {
  /** Whether title, discussion, check and fix are the author's. */
  readonly isWritten: boolean
  readonly texts: readonly WrittenText[]
  readonly required: readonly (WrittenText | 'check_content')[]
  readonly hasSeverity: boolean
}

const OPEN: StatusRow = { isWritten: false, texts: [], required: [], hasSeverity: false }

/** The table of DISA's vendor guide. */
const STIG: Readonly<Record<string, StatusRow>> = {
  'Applicable - Configurable': {
    isWritten: true,
    hasSeverity: true,
    texts: ['vendor_comments', 'severity_override_guidance'],
    required: ['check_content', 'fixtext'],
  },
  'Applicable - Inherently Meets': {
    isWritten: false,
    hasSeverity: true,
    texts: [
      ...(['status_justification', 'artifact_description'] as const),
      ...(['vendor_comments', 'severity_override_guidance'] as const),
    ],
    required: ['status_justification', 'artifact_description'],
  },
  'Applicable - Does Not Meet': {
    isWritten: false,
    hasSeverity: true,
    texts: [
      ...(['status_justification', 'mitigations'] as const),
      ...(['vendor_comments', 'severity_override_guidance'] as const),
    ],
    required: ['status_justification', 'mitigations'],
  },
  'Not Applicable': {
    isWritten: false,
    hasSeverity: false,
    texts: ['status_justification', 'artifact_description', 'vendor_comments'],
    required: ['status_justification'],
  },
}

const SRG: Readonly<Record<string, StatusRow>> = {
  'Not Yet Determined': { ...OPEN, isWritten: true },
  Applicable: {
    isWritten: true,
    texts: ['vendor_comments'],
    hasSeverity: true,
    required: ['check_content', 'fixtext'],
  },
  'Not Applicable': {
    ...OPEN,
    texts: ['status_justification'],
    required: ['status_justification'],
  },
}

/** A STIG's rule without a status has the words of its SRG, which are not its author's. */
export function rowOf({ documentType, status }: WrittenRule): StatusRow {
  return (documentType === 'srg' ? SRG : STIG)[status] ?? OPEN
}
