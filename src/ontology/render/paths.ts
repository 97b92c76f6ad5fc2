import type { Release } from '../release/release.ts'
import { describe as description, inbound } from '../views/describe/describe.ts'
import { VIEWS } from '../views/list.ts'
import type { View } from '../views/view.ts'
import { membersOf, recordPath } from './resolve.ts'

/** The paths without a parameter; the full mappings, which take longest, come last. */
export const DOCUMENT_PATHS: readonly string[] = VIEWS.filter((view) => view.kind === 'document')
  .map((view) => view.path)
  .reverse()

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
