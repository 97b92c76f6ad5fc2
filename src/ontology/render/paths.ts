import type { Release } from '../release/release.ts'
import { describe as description, inbound } from '../views/describe/describe.ts'
import { VIEWS } from '../views/list.ts'
import { fullMappingsCsv, fullMappingsJson } from '../views/mapping/mapping.ts'
import type { View } from '../views/view.ts'
import { membersOf, recordPath } from './resolve.ts'

/**
 * The lists: paths without a parameter, but for the full mappings. Those take longest, and few ask
 * for them.
 */
export const LIST_PATHS: readonly string[] = VIEWS.filter((view) => view.kind === 'document')
  .map((view) => view.path)
  .filter((path) => path !== fullMappingsCsv.path && path !== fullMappingsJson.path)

const DESCRIPTIONS: readonly View[] = [description, inbound]

/** Every path that a release answers, decoded, in the order of the list of views. */
export function listPaths(
  release: Release,
  { describe }: { readonly describe: boolean },
): readonly string[] {
  const views = VIEWS.filter((view) => describe || !DESCRIPTIONS.includes(view))
  return views.flatMap((view) =>
    view.kind === 'document'
      ? [view.path]
      : [...membersOf(release, view).keys()].map((name) => recordPath(view, name)),
  )
}
