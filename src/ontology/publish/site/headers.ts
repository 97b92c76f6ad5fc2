import { SYNTAXES } from '../../../graph/syntax/syntaxes.ts'
import { ONTOLOGY_NAME } from '../../../graph/vocabulary.ts'
import { OPEN_TO_ALL } from '../../../http/published-routes.ts'
import { ALL_VIEWS, folderOf } from '../../endpoints/list.ts'
import { FEED_TYPE } from '../../reports/feed.ts'
import { CURRENT } from '../../response-headers.ts'
import type { View } from '../../views/view.ts'
import { CURRENT_FILES } from '../../views/whole/whole.ts'
import type { Site } from './content.ts'

/**
 * The `_headers` file of Netlify and Cloudflare Pages. Both join the values of all rules that match,
 * so no two rules set the same header for the same path. Cloudflare takes 100 rules.
 */
export function headersFile({ releases }: Pick<Site, 'releases'>): string {
  const own = [...mediaTypes()]
  const types = releases.length === 0 ? own : [...own, ...own.flatMap(pinTypes), ...REPORTS]
  const rules = types.map(([path, type]) => rule(path, [['Content-Type', type]]))
  return [rule('/*', [...OPEN_TO_ALL, CURRENT]), ...rules].join('\n')
}

type TypeOfPath = readonly [pattern: string, type: string]

/** Headers under a version; both hosts accept any name for `:version`. */
function pinTypes([path, type]: TypeOfPath): readonly TypeOfPath[] {
  if (path.startsWith('/api/')) return [[`/releases/:version${path}`, type]]
  if (!path.startsWith(CURRENT_FILES)) return []
  return [[path.replace(CURRENT_FILES, `/ontologies/${ONTOLOGY_NAME}/:version/`), type]]
}

/** Media types of reports on releases; other types follow from their extensions. */
const REPORTS: readonly TypeOfPath[] = [
  ['/api/releases.atom', FEED_TYPE],
  ['/.well-known/void', SYNTAXES.turtle.contentType],
]

/** Whether all records of a view's folder have one type. Otherwise hosts derive the types from the extensions. */
function hasFolderOfOneType(view: View): boolean {
  const isBeside = (other: View): boolean => other.kind === 'record' && folderOf(other) === folderOf(view)
  return view.kind === 'record' && ALL_VIEWS.every((other) => !isBeside(other) || other.format === view.format)
}

function rule(path: string, headers: readonly (readonly [name: string, value: string])[]): string {
  return `${path}\n${headers.map(([name, value]) => `  ${name}: ${value}\n`).join('')}`
}

/** Media types by path: a pattern for each folder of records, and the documents elsewhere. */
function mediaTypes(): ReadonlyMap<string, string> {
  const types = new Map<string, string>()
  const isCovered = (path: string): boolean =>
    [...types.keys()].some((known) => known.endsWith('*') && path.startsWith(known.slice(0, -1)))
  const folders = ALL_VIEWS.filter(hasFolderOfOneType).map((view) => [`${folderOf(view)}*`, view] as const)
  const documents = ALL_VIEWS.filter(({ kind }) => kind === 'document').map((view) => [view.path, view] as const)
  // Shorter patterns first, so that a folder covers those below it.
  folders.sort(([a], [b]) => a.length - b.length)
  for (const [pattern, { format }] of [...folders, ...documents]) {
    if (!isCovered(pattern)) types.set(pattern, format.mediaType)
  }
  return types
}
