import type { ToastAnswer } from '../../account/forms/toast-answer.ts'

interface ReleaseComparisons<T> {
  readonly release: T
  readonly comparisons: readonly { readonly from: string; readonly words: string }[]
}

/** Releases, newest first, each with the releases to compare it with: the previous one and the served one. */
export function comparedReleases<T extends { readonly version: string }>(
  releases: readonly T[],
  active: string | null,
): readonly ReleaseComparisons<T>[] {
  return releases.map((release, index) => {
    const before = releases[index + 1]?.version
    const served = active === release.version || active === before ? null : active
    return {
      release,
      comparisons: [
        ...(before === undefined ? [] : [{ from: before, words: `since ${before}` }]),
        ...(served === null ? [] : [{ from: served, words: `from the served ${served}` }]),
      ],
    }
  })
}

/** The service's answer to a change of the active release. */
interface ReleaseChange {
  readonly active: string
  readonly previous: string | null
  readonly served: boolean
}

/** Shapes the change as a toast, like other answers. */
export function toastOf({ active, previous, served }: ReleaseChange): ToastAnswer {
  const instead = previous === active || previous === null ? '' : ` instead of ${previous}`
  const message = served ? 'It is served now.' : 'It is served once it is open.'
  return { toast: { title: `Release ${active} is active${instead}.`, message } }
}
