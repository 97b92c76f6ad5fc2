import type { Row } from '../list/rows.ts'

/** The new values for the chosen rules; null leaves a value as it is. */
export interface BulkEdit {
  readonly status: string | null
  readonly severity: string | null
  /** For rules that have none; empty takes it away. */
  readonly justification: string | null
  /** Whether a rule without any cannot have the status. */
  readonly isJustified: boolean
  readonly locked: boolean | null
  /** Sections that are locked or unlocked. */
  readonly sections: readonly string[]
  readonly isSectionLock: boolean
}

export interface PlannedChange {
  readonly row: Row
  /** `medium → high`; empty: it is so already. */
  readonly changes: readonly string[]
  /** Why it is left out; null: it is not. */
  readonly obstacle: string | null
}

/** Plans the change of each rule. */
export function planOf(rows: readonly Row[], wish: BulkEdit): readonly PlannedChange[] {
  return rows.map((row) => {
    const changes = changesOf(row, wish)
    const obstacle = changes.length === 0 ? 'is so already' : obstacleFor(row, wish)
    return { row, changes, obstacle }
  })
}

function turnsStatus({ status }: Row, wish: BulkEdit): boolean {
  return wish.status !== null && wish.status !== status
}

function turnsSeverity({ rule_severity }: Row, wish: BulkEdit): boolean {
  return wish.severity !== null && wish.severity !== rule_severity
}

function turnsJustification({ justified }: Row, { justification }: BulkEdit): boolean {
  return justification !== null && justification !== '' && !justified
}

function lacksJustification(row: Row, wish: BulkEdit): boolean {
  return wish.isJustified && !row.justified && !turnsJustification(row, wish)
}

function turnsLock({ locked }: Row, wish: BulkEdit): boolean {
  return wish.locked !== null && wish.locked !== locked
}

function isKept({ locked_fields }: Row, section: string): boolean {
  return locked_fields[section] === true
}

function turnedSections(row: Row, { sections, isSectionLock }: BulkEdit): readonly string[] {
  return sections.filter((name) => isKept(row, name) !== isSectionLock)
}

function changesOf(row: Row, wish: BulkEdit): readonly string[] {
  const done = wish.isSectionLock ? 'locked' : 'unlocked'
  return [
    ...(turnsStatus(row, wish) ? [`${row.status} → ${wish.status}`] : []),
    ...(turnsJustification(row, wish) ? ['with this justification'] : []),
    ...(turnsSeverity(row, wish) ? [`${row.rule_severity} → ${wish.severity}`] : []),
    ...(turnsLock(row, wish) ? [wish.locked === true ? 'locked' : 'unlocked'] : []),
    ...turnedSections(row, wish).map((name) => `${name} ${done}`),
  ]
}

function obstacleFor(row: Row, wish: BulkEdit): string | null {
  if (row.locked && wish.locked !== false) return 'is locked'
  if (row.review_requestor_id !== null && wish.locked === true) return 'is under review'
  if (turnsSeverity(row, wish) && isKept(row, 'Severity')) return 'its Severity is locked'
  return statusObstacle(row, wish)
}

function statusObstacle(row: Row, wish: BulkEdit): string | null {
  const turns = turnsStatus(row, wish)
  if ((turns || turnsJustification(row, wish)) && isKept(row, 'Status')) return 'its Status is locked'
  if (!turns || !lacksJustification(row, wish)) return null
  return `it has no status justification, which ${wish.status} needs`
}

export function doable(planned: readonly PlannedChange[]): readonly Row[] {
  return planned.filter(({ obstacle }) => obstacle === null).map(({ row }) => row)
}

/** One request for rules that get the same. */
export interface Step {
  readonly ids: readonly number[]
  readonly wish: BulkEdit
}

const NOTHING: BulkEdit = {
  status: null,
  severity: null,
  justification: null,
  isJustified: false,
  locked: null,
  sections: [],
  isSectionLock: false,
}

/** The requests that carry out the change. A justification is added only to rules without one. */
export function stepsOf(rows: readonly Row[], wish: BulkEdit): readonly Step[] {
  return stepsFor(rows, (row) => [turnsJustification(row, wish) ? wish : { ...wish, justification: null }])
}

/** The requests that undo the change. Rules are unlocked first and locked again last. */
export function undoOf(rows: readonly Row[], wish: BulkEdit): readonly Step[] {
  const relocked = rows.filter((row) => turnsLock(row, wish))
  const relock = stepsFor(relocked, ({ locked }) => [{ locked }])
  const others = stepsFor(rows, (row) => [
    ...turnedSections(row, wish).map((name) => ({
      sections: [name],
      isSectionLock: isKept(row, name),
    })),
    ...statusBack(row, wish),
    ...(turnsSeverity(row, wish) ? [{ severity: row.rule_severity }] : []),
  ])
  return wish.locked === true ? [...relock, ...others] : [...others, ...relock]
}

/** Together, because a status may need what goes with it. */
function statusBack(row: Row, wish: BulkEdit): readonly Partial<BulkEdit>[] {
  const back = {
    ...(turnsStatus(row, wish) && { status: row.status }),
    ...(turnsJustification(row, wish) && { justification: '' }),
  }
  return Object.keys(back).length === 0 ? [] : [back]
}

/** Rules that get the same go together. */
function stepsFor(rows: readonly Row[], partsOf: (row: Row) => readonly Partial<BulkEdit>[]): readonly Step[] {
  const steps = new Map<string, { readonly wish: BulkEdit; readonly ids: number[] }>()
  for (const row of rows)
    for (const part of partsOf(row)) {
      const key = JSON.stringify(part)
      const step = steps.get(key) ?? { wish: { ...NOTHING, ...part }, ids: [] }
      step.ids.push(row.id)
      steps.set(key, step)
    }
  return [...steps.values()]
}
