import { oneOf, UsageRefusal, positiveInteger, runCommand } from '../../commands/command.ts'
import { formatTable } from '../../commands/table.ts'
import { searchKind } from '../../contracts/search-answer.ts'
import type { Search } from '../../contracts/search.ts'
import { databaseAddress } from '../../guidance/database/database.ts'
import { searchFeedSource } from '../../guidance/search-feed/feed-source.ts'
import { searchSources } from '../../guidance/search-feed/search-sources.ts'
import type { Caller } from '../../http/caller.ts'
import { createLog } from '../../platform/log.ts'
import { readSettings } from '../../platform/settings/settings.ts'
import { createSearch } from '../../search/search.ts'
import { kindOf } from '../file-options.ts'
import { withOwnOntology } from '../ontology.ts'
import { deliver, formatOf, OUTPUT_OPTIONS, toJson } from '../output.ts'
import { withTemporaryFolder } from '../temporary-folder.ts'
import { escapeControls, styleOf } from '../terminal.ts'
import { withGuidance, type OpenGuidance } from './guidance.ts'

const USAGE = `Usage: parapet search WORDS... [options]

Searches the ontology and the published benchmarks of the data folder (SERVICE_DATA_DIR), as /api/search/unified does;
with --file, the benchmarks of files instead of its own.

  --file FILE        search this file (XCCDF, or a zip); may be given several times
  --of KIND          only results of this kind: ${searchKind.options.join(', ')};
                     may be given several times
  --most N           results (default 20, at most 100)
  --json             JSON, also on a terminal
  --format FORMAT    table or json
  --out FILE         write to this file
  --kind KIND        srg or stig, for files that do not say it

Exit status: 0 done, 1 nothing found, 2 not possible.`

const OPTIONS = {
  ...OUTPUT_OPTIONS,
  file: { type: 'string', multiple: true },
  of: { type: 'string', multiple: true },
  most: { type: 'string', default: '20' },
  kind: { type: 'string' },
} as const

const OPERANDS = { least: 1, most: Infinity, missing: 'Name what is searched for.' }
const MAX_RESULTS = 100
const NOTHING_FOUND = 1
/** The search waits this long for its index, because reading files may take some seconds. */
const PATIENCE_MS = 120_000

type SearchRequest = Parameters<Search<Caller | null>['unified']>[1]
type SearchAnswer = Awaited<ReturnType<Search<Caller | null>['unified']>>

/** A request without filters, for the newest releases. */
const UNFILTERED: Omit<SearchRequest, 'text' | 'kinds' | 'perPage'> = {
  severities: [],
  tactics: [],
  domains: [],
  benchmarks: null,
  releases: null,
  isFolded: true,
  isExplained: false,
  isGrouped: false,
  page: 1,
  cursor: null,
}

const command = { usage: USAGE, options: OPTIONS, operands: OPERANDS, refusedStatus: 2 }

await runCommand(command, async ({ file: files = [], of = [], most, kind, ...values }, words) => {
  const format = formatOf(values, [])
  const perPage = positiveInteger('most', most)
  if (perPage > MAX_RESULTS) throw new UsageRefusal(`--most ${most}: at most ${MAX_RESULTS}.`)
  const request = {
    ...UNFILTERED,
    text: words.join(' '),
    kinds: of.map((name) => oneOf('--of', name, searchKind.options)),
    perPage,
  }
  const options = { files, documentType: kindOf(kind), version: undefined }
  const answer = await withTemporaryFolder(async (folder) =>
    withGuidance({ ...options, folder }, (guidance) => withSearch(guidance, (search) => search.unified(null, request))),
  )
  if (answer.results.length === 0) process.exitCode = NOTHING_FOUND
  return deliver(format === 'json' ? toJson(answer) : show(answer), values)
})

async function withSearch<T>(
  { database, dataDir, databaseUrl }: OpenGuidance,
  work: (search: Search<Caller | null>) => Promise<T>,
): Promise<T> {
  const { baseUrl } = readSettings()
  return withOwnOntology(async (ontology) => {
    const feed = searchFeedSource({ place: databaseAddress(databaseUrl, dataDir), baseUrl })
    const sources = searchSources({ database, log: createLog('silent'), dataDir, feed, writesDump: false })
    const search = createSearch({ ...sources, ontology }, PATIENCE_MS)
    try {
      await search.prepare(Promise.resolve())
      return await work(search)
    } finally {
      await search.close()
    }
  })
}

function show({ results, pagination, suggestions }: SearchAnswer): string {
  if (results.length === 0) {
    const hint = suggestions.length === 0 ? '' : ` Try: ${suggestions.join(', ')}.`
    return `Nothing was found.${hint}`
  }
  const style = styleOf(process.stdout)
  const rows = results.map(({ kind, id, label, benchmark, severity }) =>
    [kind, id ?? '', severity ?? '', benchmark?.benchmark_id ?? '', label].map(escapeControls),
  )
  const omitted = pagination.total - results.length
  const table = formatTable(['kind', 'id', 'severity', 'benchmark', 'title'], rows)
  return omitted <= 0 ? table : `${table}\n${style.dim(`and ${omitted} more: --most N shows up to ${MAX_RESULTS}.`)}`
}
