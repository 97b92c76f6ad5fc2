import type { Row } from '../list/rows.ts'

/** The new values for the chosen rules; null leaves a value as it is. */
export interface BulkEdit {
  readonly status: string | null
  readonly severity: string | null
  /** For rules without a justification; an empty text removes it. */
  readonly justification: string | null
  /** Whether the status requires a justification. */
  readonly needsJustification: boolean
  readonly locked: boolean | null
  /** Sections that are locked or unlocked. */
  readonly sections: readonly string[]
  readonly isSectionLock: boolean
}

export interface PlannedChange {
  readonly row: Row
  /** Such as `medium → high`; empty if nothing changes. */
  readonly changes: readonly string[]
  /** Why the rule is left out; null if it is changed. */
  readonly obstacle: string | null
}

/** Plans the change of each rule. */
export function planEdit(rows: readonly Row[], edit: BulkEdit): readonly PlannedChange[] {
  return rows.map((row) => {
    const changes = changesOf(row, edit)
    const obstacle = changes.length === 0 ? 'is so already' : obstacleFor(row, edit)
    return { row, changes, obstacle }
  })
}

function changesStatus({ status }: Row, edit: BulkEdit): boolean {
  return edit.status !== null && edit.status !== status
}

function changesSeverity({ rule_severity }: Row, edit: BulkEdit): boolean {
  return edit.severity !== null && edit.severity !== rule_severity
}

function changesJustification({ justified }: Row, { justification }: BulkEdit): boolean {
  return justification !== null && justification !== '' && !justified
}

function lacksJustification(row: Row, edit: BulkEdit): boolean {
  return edit.needsJustification && !row.justified && !changesJustification(row, edit)
}

function changesLock({ locked }: Row, edit: BulkEdit): boolean {
  return edit.locked !== null && edit.locked !== locked
}

function isSectionLocked({ locked_fields }: Row, section: string): boolean {
  return locked_fields[section] === true
}

function changedSections(row: Row, { sections, isSectionLock }: BulkEdit): readonly string[] {
  return sections.filter((name) => isSectionLocked(row, name) !== isSectionLock)
}

function changesOf(row: Row, edit: BulkEdit): readonly string[] {
  const lockState = edit.isSectionLock ? 'locked' : 'unlocked'
  return [
    ...(changesStatus(row, edit) ? [`${row.status} → ${edit.status}`] : []),
    ...(changesJustification(row, edit) ? ['with this justification'] : []),
    ...(changesSeverity(row, edit) ? [`${row.rule_severity} → ${edit.severity}`] : []),
    ...(changesLock(row, edit) ? [edit.locked === true ? 'locked' : 'unlocked'] : []),
    ...changedSections(row, edit).map((name) => `${name} ${lockState}`),
  ]
}

function obstacleFor(row: Row, edit: BulkEdit): string | null {
  if (row.locked && edit.locked !== false) return 'is locked'
  if (row.review_requestor_id !== null && edit.locked === true) return 'is under review'
  if (changesSeverity(row, edit) && isSectionLocked(row, 'Severity')) return 'its Severity is locked'
  return statusObstacle(row, edit)
}

function statusObstacle(row: Row, edit: BulkEdit): string | null {
  const changes = changesStatus(row, edit)
  if ((changes || changesJustification(row, edit)) && isSectionLocked(row, 'Status')) return 'its Status is locked'
  if (!changes || !lacksJustification(row, edit)) return null
  return `it has no status justification, which ${edit.status} needs`
}

export function changeableRows(planned: readonly PlannedChange[]): readonly Row[] {
  return planned.filter(({ obstacle }) => obstacle === null).map(({ row }) => row)
}

/** One request for rules with the same change. */
export interface Step {
  readonly ids: readonly number[]
  readonly edit: BulkEdit
}

const NO_EDIT: BulkEdit = {
  status: null,
  severity: null,
  justification: null,
  needsJustification: false,
  locked: null,
  sections: [],
  isSectionLock: false,
}

/** The requests that carry out the change. A justification is added only to rules without one. */
export function editSteps(rows: readonly Row[], edit: BulkEdit): readonly Step[] {
  return groupedSteps(rows, (row) => [changesJustification(row, edit) ? edit : { ...edit, justification: null }])
}

/** The requests that undo the change. Rules are unlocked first and locked again last. */
export function undoSteps(rows: readonly Row[], edit: BulkEdit): readonly Step[] {
  const relocked = rows.filter((row) => changesLock(row, edit))
  const relock = groupedSteps(relocked, ({ locked }) => [{ locked }])
  const others = groupedSteps(rows, (row) => [
    ...changedSections(row, edit).map((name) => ({
      sections: [name],
      isSectionLock: isSectionLocked(row, name),
    })),
    ...statusUndo(row, edit),
    ...(changesSeverity(row, edit) ? [{ severity: row.rule_severity }] : []),
  ])
  return edit.locked === true ? [...relock, ...others] : [...others, ...relock]
}

/** Undoes status and justification in one change, because a status may require a justification. */
function statusUndo(row: Row, edit: BulkEdit): readonly Partial<BulkEdit>[] {
  const undone = {
    ...(changesStatus(row, edit) && { status: row.status }),
    ...(changesJustification(row, edit) && { justification: '' }),
  }
  return Object.keys(undone).length === 0 ? [] : [undone]
}

/** Groups rules with the same change. */
function groupedSteps(rows: readonly Row[], partsOf: (row: Row) => readonly Partial<BulkEdit>[]): readonly Step[] {
  const steps = new Map<string, { readonly edit: BulkEdit; readonly ids: number[] }>()
  for (const row of rows)
    for (const part of partsOf(row)) {
      const key = JSON.stringify(part)
      const step = steps.get(key) ?? { edit: { ...NO_EDIT, ...part }, ids: [] }
      step.ids.push(row.id)
      steps.set(key, step)
    }
  return [...steps.values()]
}
