import { refuseValues } from '../../../../http/toast.ts'
import { Pauses } from '../../../../platform/concurrency/turns.ts'
import type { MergesTable } from '../../../database/schema/imports.ts'
import type { Reader } from '../../../database/transaction.ts'
import { SnapshotDigest, type RuleState } from '../../exports/component/snapshot.ts'
import type { FileRule } from '../reading/merge-file.ts'
import { matchesExport, type ExportContext } from './exported-forms.ts'
import { MERGED_FIELDS } from './fields.ts'
import { earlierStates } from './history.ts'

export type States = ReadonlyMap<number, RuleState>

/** The exported rules, by id. */
export interface Base {
  readonly states: States
  readonly source: MergesTable['base_source']
  /** The time of the first change after the export; null if nothing has changed since. */
  readonly until: string | null
}

export interface BaseRequest {
  readonly componentId: number
  /** The time when the component was made. */
  readonly createdAt: string
  readonly now: States
  /** The digests in the file. */
  readonly snapshots: readonly string[]
  /** The digest or the time that a person chose. */
  readonly chosen: string | null
  /** The rules in the file, by the id of the component's rule. */
  readonly fileRule: ReadonlyMap<number, FileRule>
  readonly contextOf: (ruleId: number) => ExportContext
}

/**
 * Finds the state of the component from which a file was made: the chosen state, else the one with the digest in the
 * file, else the one that the file resembles most. Refuses a chosen state that is not in the history.
 */
export async function findBase(reader: Reader, request: BaseRequest): Promise<Base> {
  const { chosen, snapshots } = request
  if (chosen !== null) {
    const isDigest = /^[0-9a-f]{64}$/.test(chosen)
    const state = await (isDigest ? findByDigest(reader, request, [chosen]) : findByMoment(reader, request, chosen))
    if (state === null) throw refuseValues('Could not merge the file.', [{ field: 'base', message: UNKNOWN }])
    return { ...state, source: 'chosen' }
  }
  const namedState = snapshots.length === 0 ? null : await findByDigest(reader, request, snapshots)
  if (namedState !== null) return { ...namedState, source: 'file' }
  return { ...(await findMostSimilar(reader, request)), source: 'history' }
}

const UNKNOWN = 'The component was never like that: name a moment of its history, or the digest of an export'

type FoundState = Omit<Base, 'source'>

interface Step extends FoundState {
  readonly ruleId: number
  readonly before: RuleState | null
  readonly after: RuleState | null
  readonly until: string
}

/** Goes back through the history. All steps share one map of states, which each step changes. */
async function* stepsBack(reader: Reader, { componentId, now }: BaseRequest): AsyncGenerator<Step, void> {
  const states = new Map(now)
  for await (const { ruleId, state, changedAt: until } of earlierStates(reader, componentId, now)) {
    const after = states.get(ruleId) ?? null
    if (state === null) states.delete(ruleId)
    else states.set(ruleId, state)
    yield { ruleId, before: state, after, states, until }
  }
}

async function findByDigest(
  reader: Reader,
  request: BaseRequest,
  digests: readonly string[],
): Promise<FoundState | null> {
  const digest = new SnapshotDigest()
  const pauses = new Pauses()
  for (const state of request.now.values()) {
    digest.toggle(state)
    await pauses.rest()
  }
  if (digests.includes(digest.hex)) return { states: request.now, until: null }
  for await (const { before, after, states, until } of stepsBack(reader, request)) {
    if (after !== null) digest.toggle(after)
    if (before !== null) digest.toggle(before)
    // Skips the empty state: nobody exports a component before it has rules.
    if (states.size > 0 && digests.includes(digest.hex)) return { states, until }
  }
  return null
}

async function findByMoment(reader: Reader, request: BaseRequest, moment: string): Promise<FoundState | null> {
  const time = Date.parse(moment)
  if (Number.isNaN(time) || time < Date.parse(request.createdAt) || time > Date.now()) return null
  return findStep(reader, request, ({ until }) => Date.parse(until) > time)
}

/** Goes back from the current state, as long as each step is needed. */
async function findStep(
  reader: Reader,
  request: BaseRequest,
  isNeeded: (step: Step, index: number) => boolean,
): Promise<FoundState> {
  const states = new Map(request.now)
  let [index, until]: [number, string | null] = [0, null]
  for await (const step of stepsBack(reader, request)) {
    index += 1
    if (!isNeeded(step, index)) break
    if (step.before === null) states.delete(step.ruleId)
    else states.set(step.ruleId, step.before)
    until = step.until
  }
  return { states, until }
}

/**
 * Finds the state from which the file differs in the fewest fields; if several do, the oldest. A newer state might
 * contain edits that the file has overwritten. They would be lost without a conflict.
 */
async function findMostSimilar(reader: Reader, request: BaseRequest): Promise<FoundState> {
  const { now, fileRule } = request
  const differences = new Map<number, number>()
  const pauses = new Pauses()
  for (const [ruleId, state] of fileRule) {
    differences.set(ruleId, countDifferences(state, now.get(ruleId) ?? null, request.contextOf(ruleId)))
    await pauses.rest()
  }
  let count = [...differences.values()].reduce((sum, differing) => sum + differing, 0)
  let best = { count, steps: 0 }
  let steps = 0
  for await (const { ruleId, before } of stepsBack(reader, request)) {
    steps += 1
    const ruleInFile = fileRule.get(ruleId)
    if (ruleInFile === undefined) continue
    const differing = countDifferences(ruleInFile, before, request.contextOf(ruleId))
    count += differing - (differences.get(ruleId) ?? 0)
    differences.set(ruleId, differing)
    if (count <= best.count) best = { count, steps }
  }
  return findStep(reader, request, (_step, index) => index <= best.steps)
}

function countDifferences({ values }: FileRule, state: RuleState | null, context: ExportContext): number {
  return MERGED_FIELDS.filter((field) => {
    const value = values[field]
    return value !== undefined && (state === null || !matchesExport(value, field, state, context))
  }).length
}
