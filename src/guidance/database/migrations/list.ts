import type { Migration } from 'kysely'
import type { DialectName } from '../dialect.ts'
import { accounts } from './001-accounts.ts'
import { projects } from './002-projects.ts'
import { audits } from './003-audits.ts'
import { benchmarks } from './004-benchmarks.ts'
import { fullText } from './005-full-text.ts'
import { components } from './006-components.ts'
import { rules } from './007-rules.ts'
import { reviews } from './008-reviews.ts'
import { events } from './009-events.ts'
import { words } from './012-words.ts'
import { columnsOf } from './columns.ts'

/** In the order in which they run. A migration that has been released is never edited. */
export function migrationsFor(dialect: DialectName): Record<string, Migration> {
  const columns = columnsOf(dialect)
  return {
    '001-accounts': { up: (db) => accounts(db, columns) },
    '002-projects': { up: (db) => projects(db, columns) },
    '003-audits': { up: (db) => audits(db, dialect) },
    '004-benchmarks': { up: (db) => benchmarks(db, columns) },
    '005-full-text': { up: (db) => fullText(db, dialect) },
    '006-components': { up: (db) => components(db, dialect) },
    '007-rules': { up: (db) => rules(db, columns) },
    '008-reviews': { up: (db) => reviews(db, columns) },
    '009-events': { up: (db) => events(db, columns) },
    '012-words': { up: (db) => words(db, dialect) },
  }
}
