import { join } from 'node:path'
import type { SearchFeedSource, SearchSources } from '../../contracts/search-feed.ts'
import type { Caller } from '../../http/caller.ts'
import type { Log } from '../../platform/log.ts'
import { ABBREVIATIONS } from '../catalogue/abbreviations/abbreviations.ts'
import { nistControlNames, nistControls } from '../catalogue/benchmarks/nist-controls.ts'
import type { Database } from '../database/database.ts'
import { readableComponents } from './readable.ts'

interface SearchedGuidance {
  readonly database: Database
  readonly log: Log
  readonly dataDir: string
  readonly feed: SearchFeedSource
  /** Whether this process writes the index to the data folder. */
  readonly writesDump: boolean
}

/** The sources of the search from guidance. */
export function searchSources({
  database,
  log,
  dataDir,
  feed,
  writesDump,
}: SearchedGuidance): Omit<SearchSources<Caller | null>, 'ontology'> {
  return {
    feed,
    readableComponents: (caller) => readableComponents(database.read, caller),
    controls: nistControls(),
    controlNames: nistControlNames(),
    abbreviations: ABBREVIATIONS,
    log,
    dumpFile: join(dataDir, 'search-index'),
    writesDump,
  }
}
