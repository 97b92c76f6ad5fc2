import type { Caller } from '../../http/caller.ts'
import { nextTurn } from '../../platform/turns.ts'
import { nistControls } from '../catalogue/benchmarks/nist-controls.ts'
import { irisOf } from '../catalogue/linked-data/graph/iris.ts'
import type { Database } from '../database/database.ts'
import type { Reader } from '../database/transaction.ts'
import { findAuthoredRules, findComponents } from './find-authored.ts'
import { findCatalogueRules } from './find-catalogue.ts'
import type { GuidanceKind, GuidanceMatch, GuidanceQuestion } from './match.ts'
import { findReadableTexts, type Field } from './readable.ts'

export type { GuidanceMatch, GuidanceQuestion } from './match.ts'

/** Rows of each retrieval, whatever is asked for. */
const MOST = 1000
const MOST_TITLE_WORDS = 2000

/** What a search wants to know of guidance. */
export interface GuidanceDocuments {
  /**
   * In order of kind and number, at most `limit` of catalogue rules, of authored ones and of components.
   * Those whose content the asker may read; to nobody only the catalogue is open.
   */
  find(asker: Caller | null, question: GuidanceQuestion): Promise<readonly GuidanceMatch[]>
  /** Texts of records that were found, to cut snippets from; by `${kind} ${recordId}`. */
  texts(
    matches: readonly Pick<GuidanceMatch, 'kind' | 'recordId'>[],
  ): Promise<ReadonlyMap<string, readonly Field[]>>
  /** The NIST controls of a CCI: `AC-2 (1)`. */
  readonly controlsOf: (cci: string) => readonly string[]
  /** Every CCI that has one. */
  readonly allCcis: () => readonly string[]
  /** Words in titles of the open catalogue that begin so, in order. */
  readonly titleWords: (beginning: string) => Promise<readonly string[]>
}

export function guidanceDocuments({
  database,
  baseUrl,
}: {
  readonly database: Database
  readonly baseUrl: string
}): GuidanceDocuments {
  const iris = irisOf(baseUrl)
  return {
    find: async (asker, asked) => {
      const question = { ...asked, limit: Math.min(asked.limit, MOST) }
      // A search asks several times, and SQLite answers on the thread that serves everybody else.
      await nextTurn()
      const wants = (kind: GuidanceKind): boolean => question.kinds.includes(kind)
      const found = await Promise.all([
        findCatalogueRules(database, iris, question),
        asker !== null && wants('authored-rule')
          ? findAuthoredRules(database, asker, question)
          : [],
        asker !== null && wants('component') && question.severity === null
          ? findComponents(database, asker, question)
          : [],
      ])
      return found.flat()
    },
    texts: (matches) => findReadableTexts(database.read, matches),
    controlsOf: (cci) => {
      const control = nistControls().get(cci)
      return control === undefined ? [] : [control]
    },
    allCcis: () => [...nistControls().keys()],
    titleWords: (beginning) => findTitleWords(database.read, beginning),
  }
}

async function findTitleWords(reader: Reader, beginning: string): Promise<readonly string[]> {
  const rows = await reader
    .selectFrom('benchmark_words')
    .select('word')
    .distinct()
    .where('word', '>=', beginning)
    .where('word', '<', `${beginning}\u{10ffff}`)
    .orderBy('word')
    .limit(MOST_TITLE_WORDS)
    .execute()
  return rows.map(({ word }) => word)
}
