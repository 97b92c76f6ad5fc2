import { append } from '../../../../platform/append.ts'
import type { Rule } from '../../../catalogue/xccdf/benchmark.ts'
import type { Reader } from '../../../database/transaction.ts'
import { nameSome } from '../../../parts/name-some.ts'

/** A requirement of an SRG, without its texts. */
interface RequirementRow {
  readonly id: number
  /** The id of the requirement, such as `SRG-OS-000480-GPOS-00227`. */
  readonly version: string | null
  /** The id that it shares with the SRGs of other technologies, such as `SRG-OS-000480`. */
  readonly group_title: string | null
}

/** The requirement of a published rule, or the reason why it has none. */
export type RequirementLink =
  | { readonly requirement: { readonly id: number; readonly version: string | null } }
  | { readonly requirement: null; readonly reason: string }

const SRG_ID = /\bSRG-[A-Z]+-\d+(?:-[A-Z0-9]+-\d+)?\b/g

/** The SRG ids in a published rule: in the title of its group, or in its version. */
export function namedRequirements({ groupTitle, version }: Pick<Rule, 'groupTitle' | 'version'>): readonly string[] {
  const named = [groupTitle, version].flatMap((text) => text?.toUpperCase().match(SRG_ID) ?? [])
  return [...new Set(named)]
}

/** Finds the requirements that published rules name, in some SRGs. */
export class RequirementIndex {
  readonly #byVersion = new Map<string, RequirementRow[]>()
  readonly #byGroup = new Map<string, RequirementRow[]>()

  /** Indexes the requirements of these SRGs; those of the first SRG take precedence. */
  static async of(reader: Reader, srgIds: readonly number[]): Promise<RequirementIndex> {
    const index = new RequirementIndex()
    for (const id of srgIds) {
      const rows = await reader
        .selectFrom('benchmark_rules')
        .select(['id', 'version', 'group_title'])
        .where('benchmark_id', '=', id)
        .orderBy('position')
        .execute()
      for (const row of rows) index.#add(row)
    }
    return index
  }

  #add(row: RequirementRow): void {
    if (row.version !== null) append(this.#byVersion, row.version.toUpperCase(), row)
    if (row.group_title !== null) append(this.#byGroup, row.group_title.toUpperCase(), row)
  }

  /**
   * The requirement with an id that the rule names. An id without its technology, such as `SRG-APP-000014`, names a
   * requirement if only one has it.
   */
  find(rule: Pick<Rule, 'groupTitle' | 'version'>): RequirementLink {
    const ids = namedRequirements(rule)
    if (ids.length === 0) return { requirement: null, reason: 'The rule names no SRG requirement.' }
    for (const id of ids) {
      const [exact] = this.#byVersion.get(id) ?? []
      if (exact !== undefined) return { requirement: exact }
    }
    const candidates = ids.flatMap((id) => this.#byGroup.get(id) ?? [])
    const versions = [...new Set(candidates.map(({ version }) => version ?? ''))]
    const [candidate] = candidates
    if (candidate !== undefined && versions.length === 1) return { requirement: candidate }
    const idList = ids.join(', ')
    const reason =
      candidate === undefined
        ? `The SRG has no requirement ${idList}.`
        : `${idList} is the beginning of several requirements: ${nameSome(versions)}.`
    return { requirement: null, reason }
  }
}
