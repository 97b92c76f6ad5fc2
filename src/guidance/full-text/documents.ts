import type { GuidanceDocuments, GuidanceKind } from '../../contracts/sources.ts'
import type { Caller } from '../../http/caller.ts'
import { nextTurn } from '../../platform/turns.ts'
import { nistControls } from '../catalogue/benchmarks/nist-controls.ts'
import { irisOf } from '../catalogue/linked-data/graph/iris.ts'
import type { Database } from '../database/database.ts'
import { manyRows } from '../database/many-rows.ts'
import type { Reader } from '../database/transaction.ts'
import { findAuthoredRules, findComponents } from './find-authored.ts'
import { findCatalogueRules } from './find-catalogue.ts'
import { findReadableTexts } from './readable.ts'

/** Rows of each query, whatever limit is asked for. */
const MOST = 1000
const MOST_TITLE_WORDS = 2000

/** The guidance that a caller may read. */
export type ReadableDocuments = GuidanceDocuments<Caller | null>

export function guidanceDocuments({
  database,
  baseUrl,
}: {
  readonly database: Database
  readonly baseUrl: string
}): ReadableDocuments {
  const iris = irisOf(baseUrl)
  return {
    find: async (asker, asked) => {
      const question = { ...asked, limit: Math.min(asked.limit, MOST) }
      // A search runs several queries, and SQLite blocks the thread that serves everybody else.
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
    .withPlugin(manyRows)
    .execute()
  return rows.map(({ word }) => word)
}
