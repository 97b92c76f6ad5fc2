import { ALIASES, ALL_VIEWS, DOCUMENTS, extensionOf, folderOf } from '../endpoints/list.ts'
import type { Release } from '../release/release.ts'
import { describe as description, inbound } from '../views/describe/describe.ts'
import { fullMappingsCsv, fullMappingsJson } from '../views/mapping/mapping.ts'
import { PAIR_VIEWS } from '../views/pairs/views.ts'
import type { View } from '../views/view.ts'
import { canBeWritten, FILES } from '../views/whole/whole.ts'
import { isRequestable, isOntologyPath, membersOf, recordPath } from './resolve.ts'

/** A decoded path of a release, in two parts. */
export interface ReleasePath {
  /** Begins and ends with a slash. */
  readonly folder: string
  /** With its extension. Slashes in it are part of an IRI or identifier. */
  readonly name: string
}

/** The full mappings, tables made of them, and whole files: they take longest and are rarely requested. */
const RARE_PATHS = new Set([
  ...[fullMappingsCsv, fullMappingsJson, ...FILES].map(({ path }) => path),
  ...PAIR_VIEWS.flatMap(({ json, csv }) => [json.path, csv.path]),
])

/** Paths without a parameter, except the rare ones. */
export const LIST_PATHS: readonly string[] = [...DOCUMENTS].filter((path) => !RARE_PATHS.has(ALIASES.get(path) ?? path))

const DESCRIPTIONS: readonly View[] = [description, inbound]

/** A selection of the paths of a release. */
export interface PathSelection {
  /** Whether the descriptions of each subject are among them. */
  readonly describe: boolean
  /** Whether only JSON below `/api/` is: no table, and no file with the whole ontology. */
  readonly onlyJson?: boolean | undefined
}

/** The paths of a release, in the order of the list of views. */
export function listPaths(release: Release, { describe, onlyJson = false }: PathSelection): readonly ReleasePath[] {
  const views = ALL_VIEWS.filter((view) => (describe || !DESCRIPTIONS.includes(view)) && (!onlyJson || isApiJson(view)))
  return views.flatMap((view) => {
    const folder = folderOf(view)
    return pathsOf(release, view).map((path) => ({ folder, name: path.slice(folder.length) }))
  })
}

function isApiJson(view: View): boolean {
  return view.path.startsWith('/api/') && extensionOf(view) === '.json'
}

function pathsOf(release: Release, view: View): readonly string[] {
  if (view.kind === 'document') return canBeWritten(release, view) ? [view.path] : []
  const names = [...membersOf(release, view).keys()].filter(isRequestable)
  return names.map((name) => recordPath(view, name)).filter(isOntologyPath)
}

/** Encodes the path of a record as clients request it. Colons stay readable, which RFC 3986 §3.3 allows. */
export function encodePath({ folder, name }: ReleasePath): string {
  return folder + encodeURIComponent(name).replaceAll('%3A', ':')
}
