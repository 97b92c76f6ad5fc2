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
import { authoringIndexes } from './010-authoring-indexes.ts'
import { relocations } from './011-relocations.ts'
import { reviewSearch } from './012-review-search.ts'
import { words } from './013-words.ts'
import { wordFunctions } from './014-word-functions.ts'
import { phraseFunctions } from './015-phrase-functions.ts'
import { consents } from './017-consents.ts'
import { beingFound } from './018-being-found.ts'
import { shortIds } from './021-short-ids.ts'
import { searchChanges } from './022-search-changes.ts'
import { secondFactors } from './023-second-factors.ts'
import { adviceOff } from './024-advice-off.ts'
import { presences } from './025-presences.ts'
import { presenceSessions } from './026-presence-sessions.ts'
import { lastChanges } from './027-last-changes.ts'
import { rationale } from './028-rationale.ts'
import { referenceData } from './029-reference-data.ts'
import { attack } from './030-attack.ts'
import { cwe } from './031-cwe.ts'
import { publishedSources } from './032-published-sources.ts'
import { merges } from './033-merges.ts'
import { suggestions } from './034-suggestions.ts'
import { attachments } from './037-attachments.ts'
import { milestones } from './039-milestones.ts'
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
    '010-authoring-indexes': { up: (db) => authoringIndexes(db) },
    '011-relocations': { up: (db) => relocations(db, columns) },
    '012-review-search': { up: (db) => reviewSearch(db) },
    '013-words': { up: (db) => words(db, dialect) },
    '014-word-functions': { up: (db) => wordFunctions(db, dialect) },
    '015-phrase-functions': { up: (db) => phraseFunctions(db, dialect) },
    '017-consents': { up: (db) => consents(db, columns) },
    '018-being-found': { up: (db) => beingFound(db, columns) },
    '021-short-ids': { up: (db) => shortIds(db) },
    '022-search-changes': { up: (db) => searchChanges(db, dialect) },
    '023-second-factors': { up: (db) => secondFactors(db, columns) },
    '024-advice-off': { up: (db) => adviceOff(db) },
    '025-presences': { up: (db) => presences(db, columns) },
    '026-presence-sessions': { up: (db) => presenceSessions(db) },
    '027-last-changes': { up: (db) => lastChanges(db, columns) },
    '028-rationale': { up: (db) => rationale(db, dialect) },
    '029-reference-data': { up: (db) => referenceData(db, columns) },
    '030-attack': { up: (db) => attack(db, dialect) },
    '031-cwe': { up: (db) => cwe(db, dialect) },
    '032-published-sources': { up: (db) => publishedSources(db) },
    '033-merges': { up: (db) => merges(db, columns) },
    '034-suggestions': { up: (db) => suggestions(db) },
    '037-attachments': { up: (db) => attachments(db, columns) },
    '039-milestones': { up: (db) => milestones(db, columns) },
  }
}
