import { shortTitle } from '../../parts/words/document-title.ts'
import { changesPath } from '../release-paths.ts'

/** A release that can be compared with another one. */
export interface ComparedRelease {
  readonly benchmarkId: string
  readonly title: string
  readonly version: string
  readonly date: string | null
  /** Its number on this instance; null in a copy that has no numbers. */
  readonly id: number | null
}

/** A release to choose, with the address of its comparison. */
interface Choice {
  readonly path: string
  readonly name: string
}

/** The compared releases, and those that can replace one of them. */
interface ComparableReleases {
  readonly kind: 'stig' | 'srg'
  readonly before: ComparedRelease
  readonly after: ComparedRelease
  /** All releases of the product of `after`, the newest first. */
  readonly line: readonly ComparedRelease[]
  /** The releases of other products, by product and the newest first. */
  readonly others: readonly ComparedRelease[]
  /** Whether this is a copy, in which a release is only compared with the one before it. */
  readonly isCopy: boolean
}

/** The releases that `after` can be compared with, and those that can replace it. */
export interface Choices {
  /** The address of the comparison itself. */
  readonly path: string
  readonly before: readonly { readonly name: string; readonly choices: readonly Choice[] }[]
  readonly after: readonly Choice[]
}

/** Offers releases of the same product, and of products whose titles differ only in numbers. */
export function choicesOf(compared: ComparableReleases): Choices {
  const { before, after, line, others, isCopy } = compared
  if (isCopy) return pairsOf(compared)
  const family = familyOf(after.title)
  const related = others.filter(({ title }) => familyOf(title) === family)
  const requestedBase = [...line, ...related].some((release) => isSame(release, before)) ? [] : [before]
  const choiceOf = (release: ComparedRelease, isNamed: boolean): Choice => {
    return { path: pathOf(compared, { before: release, after }), name: nameOf(release, isNamed) }
  }
  const groups = [
    {
      name: shortTitle(after.title),
      choices: line.filter((release) => !isSame(release, after)).map((release) => choiceOf(release, false)),
    },
    { name: 'Other versions of the product', choices: related.map((release) => choiceOf(release, true)) },
    { name: 'Another product', choices: requestedBase.map((release) => choiceOf(release, true)) },
  ]
  return {
    path: pathOf(compared, compared),
    before: groups.filter(({ choices }) => choices.length > 0),
    after: line
      .filter((release) => !isSame(release, before))
      .map((release) => ({ path: pathOf(compared, { before, after: release }), name: nameOf(release, false) })),
  }
}

type Pair = Readonly<Record<'before' | 'after', ComparedRelease>>

function pairsOf(compared: ComparableReleases): Choices {
  const { before, after, line } = compared
  const current = { path: pathOf(compared, compared), name: nameOf(before, false) }
  const pairs = line.flatMap((release, index): readonly Choice[] => {
    const older = line[index + 1]
    return older === undefined
      ? []
      : [{ path: pathOf(compared, { before: older, after: release }), name: nameOf(release, false) }]
  })
  return { path: current.path, before: [{ name: shortTitle(after.title), choices: [current] }], after: pairs }
}

/** The address of a comparison: by names if both releases are of one product, otherwise by numbers. */
function pathOf({ kind, line }: ComparableReleases, { before, after }: Pair): string {
  const ofVersion = line.filter(({ version }) => version === before.version)
  const base = ofVersion.find(({ benchmarkId }) => benchmarkId === after.benchmarkId) ?? ofVersion[0]
  if (base !== undefined && isSame(base, before)) return changesPath(before, after)
  return `/${kind}s/${after.id}/compare/${before.id}`
}

function isSame(release: ComparedRelease, other: ComparedRelease): boolean {
  return release.benchmarkId === other.benchmarkId && release.version === other.version
}

function nameOf({ title, version, date }: ComparedRelease, isNamed: boolean): string {
  const name = isNamed ? `${shortTitle(title)} ${version}` : version
  return date === null ? name : `${name} · ${date}`
}

/** The title without numbers, which is the same for all editions of a product: `red hat enterprise linux stig`. */
function familyOf(title: string): string {
  const words = shortTitle(title)
    .toLowerCase()
    .split(/[\s/,()-]+/)
  return words.filter((word) => word !== '' && !/\d/.test(word)).join(' ')
}
