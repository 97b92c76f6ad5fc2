import { createHash } from 'node:crypto'
import { Pauses } from '../../../../platform/concurrency/turns.ts'
import { pick } from '../../../../platform/records.ts'
import { CHECK_COLUMNS, namesOf } from '../../../../tables/field-lists.ts'
import { FIELDS } from '../../../../tables/fields.ts'
import { portionsOf } from '../../../authoring/components/portions.ts'
import { contentOf, type RuleContent } from '../../../authoring/rule-editing/content.ts'
import { findRules, type AuthoredRule } from '../../../authoring/rules/reader.ts'
import type { Reader } from '../../../database/transaction.ts'

/** The name of the digest in files. */
export const SNAPSHOT = 'Parapet snapshot'

type CheckTexts = AuthoredRule['checks'][number]

/** The content of a rule at one moment. */
export interface RuleState {
  readonly number: number
  readonly content: RuleContent
  /** Sorted by id. */
  readonly checks: readonly (Pick<CheckTexts, (typeof CHECK_COLUMNS)[number]> & { readonly id: number })[]
}

export function stateOf(rule: AuthoredRule): RuleState {
  const checks = rule.checks.map((check) => pick(check, ['id', ...CHECK_COLUMNS]))
  return { number: rule.number, content: contentOf(rule), checks }
}

/**
 * The digest of the rules of a component. Combines rules by exclusive or, so that one rule can be replaced without the
 * others while the history is searched for a digest.
 */
export class SnapshotDigest {
  readonly #sum = Buffer.alloc(32)

  /** Adds a rule, or removes it if it was added before. */
  toggle(state: RuleState): void {
    const hash = hashOf(state)
    for (let index = 0; index < hash.length; index += 1) this.#sum[index] = (this.#sum[index] ?? 0) ^ (hash[index] ?? 0)
  }

  get hex(): string {
    return this.#sum.toString('hex')
  }
}

/** The digest of all live rules of a component, reading them in portions. */
export async function findSnapshot(reader: Reader, componentId: number): Promise<string> {
  const digest = new SnapshotDigest()
  for await (const condition of portionsOf(reader, componentId))
    for (const rule of await findRules(reader, condition)) digest.toggle(stateOf(rule))
  return digest.hex
}

/** The digest of all live rules of a component. */
export async function snapshotOf(rules: readonly AuthoredRule[]): Promise<string> {
  const digest = new SnapshotDigest()
  const pauses = new Pauses()
  for (const rule of rules) {
    digest.toggle(stateOf(rule))
    await pauses.rest()
  }
  return digest.hex
}

const NAMES = namesOf(FIELDS)

/** Leaves out fields without a value, so that new fields do not change old digests. */
function hashOf({ number, content, checks }: RuleState): Buffer {
  const fields = NAMES.flatMap((name) => (content[name] === null ? [] : [name, content[name]]))
  const texts = checks.map((check) =>
    CHECK_COLUMNS.flatMap((name) => (check[name] === null ? [] : [name, check[name]])),
  )
  return createHash('sha256')
    .update(JSON.stringify([number, fields, texts]))
    .digest()
}
