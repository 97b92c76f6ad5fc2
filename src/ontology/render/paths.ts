import type { Release } from '../release/release.ts'
import { VIEWS } from '../views/list.ts'
import { membersOf, recordPath } from './resolve.ts'

/** Every path that a release answers, decoded, in the order of the list of views. */
export function listPaths(release: Release): readonly string[] {
  return VIEWS.flatMap((view) =>
    view.kind === 'document'
      ? [view.path]
      : [...membersOf(release, view).keys()].map((name) => recordPath(view, name)),
  )
}
