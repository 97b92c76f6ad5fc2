import { SYNTAXES } from '../../../graph/syntax/syntaxes.ts'
import { ONTOLOGY_NAME } from '../../../graph/vocabulary.ts'
import { ANSWERED, folderOf } from '../../endpoints/list.ts'
import { FEED_TYPE } from '../../reports/feed.ts'
import { CURRENT, OPEN_TO_ALL } from '../../response-headers.ts'
import { CURRENT_FILES } from '../../views/whole/whole.ts'
import type { Site } from './content.ts'

type Headers = readonly (readonly [name: string, value: string])[]

/**
 * The `_headers` file of Netlify and Cloudflare Pages. Both join the values of all rules that match,
 * so no two rules set the same header for the same path. Cloudflare takes 100 rules.
 */
export function headersFile({ releases }: Pick<Site, 'releases'>): string {
  const own = [...mediaTypes()]
  const types = releases.length === 0 ? own : [...own, ...own.flatMap(pinned), ...REPORTS]
  const rules = types.map(([path, type]) => rule(path, [['Content-Type', type]]))
  return [rule('/*', [...OPEN_TO_ALL, CURRENT]), ...rules].join('\n')
}

type TypeOfPath = readonly [pattern: string, type: string]

/** Headers under a version; both hosts accept any name for `:version`. */
function pinned([path, type]: TypeOfPath): readonly TypeOfPath[] {
  if (path.startsWith('/api/')) return [[`/releases/:version${path}`, type]]
  if (!path.startsWith(CURRENT_FILES)) return []
  return [[path.replace(CURRENT_FILES, `/ontologies/${ONTOLOGY_NAME}/:version/`), type]]
}

/** Media types of reports on releases; other types follow from their extensions. */
const REPORTS: readonly TypeOfPath[] = [
  ['/api/releases.atom', FEED_TYPE],
  ['/.well-known/void', SYNTAXES.turtle.contentType],
]

function rule(path: string, headers: Headers): string {
  return `${path}\n${headers.map(([name, value]) => `  ${name}: ${value}\n`).join('')}`
}

/** Media types by path: a pattern for each folder of records, and the documents elsewhere. */
function mediaTypes(): ReadonlyMap<string, string> {
  const types = new Map<string, string>()
  const isCovered = (path: string): boolean =>
    [...types.keys()].some((known) => known.endsWith('*') && path.startsWith(known.slice(0, -1)))
  const patterns = ANSWERED.map((view) => ({
    pattern: view.kind === 'record' ? `${folderOf(view)}*` : view.path,
    isRecord: view.kind === 'record',
    type: view.format.mediaType,
  }))
  // Shorter patterns first, so that a folder covers those below it.
  const records = patterns.filter(({ isRecord }) => isRecord)
  const sorted = records.sort((a, b) => a.pattern.length - b.pattern.length)
  for (const { pattern, type } of [...sorted, ...patterns]) {
    if (!isCovered(pattern)) types.set(pattern, type)
  }
  return types
}
