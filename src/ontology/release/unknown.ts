import { nearestNames } from '../../graph/nearest.ts'
import { compareCodeUnits } from '../../graph/term.ts'
import { Refusal } from '../../platform/errors.ts'
import type { ReleaseFolder } from './folder.ts'

/** Limit of the names in a message. */
const MAX_LISTED = 20
/** Longer values are not versions, so messages cut them off. */
const MAX_SHOWN = 100

/** The refusal of a version that does not exist, with those that are near. */
export async function unknownRelease(folder: ReleaseFolder, version: string): Promise<Refusal> {
  return unknownAmong(await folder.versions(), version)
}

/** Why no release is active, and what to do. The file that names the active one may be lost. */
export async function explainNoneActive(folder: ReleaseFolder): Promise<string> {
  if (!(await folder.isUsed())) return 'Nothing has been ingested yet.'
  const versions = [...(await folder.versions())].sort(compareCodeUnits)
  const versionList = versions.length === 0 ? '' : ` There are: ${listVersions(versions)}.`
  const [last] = await folder.earlier()
  const latest = last === undefined ? '' : ` ${last.version} was served last.`
  return (
    `No release is active: the file ontology/active of the data folder is missing.${versionList}${latest} ` +
    'Serve one again: npm run releases -- activate VERSION.'
  )
}

export function unknownAmong(versions: readonly string[], version: string): Refusal {
  const sorted = [...versions].sort(compareCodeUnits)
  const suggestions = nearestNames(
    fold(version),
    sorted.map((name) => ({ folded: fold(name), name })),
  ).map(({ name }) => name)
  const shortVersion = version.length > MAX_SHOWN ? `${version.slice(0, MAX_SHOWN)}…` : version
  const versionList = sorted.length === 0 ? '' : ` There are: ${listVersions(sorted)}.`
  const members = suggestions.length === 0 ? {} : { did_you_mean: suggestions }
  return new Refusal('release_not_found', `There is no release "${shortVersion}".${versionList}`, members)
}

function listVersions(sorted: readonly string[]): string {
  const others = sorted.length > MAX_LISTED ? ', among others' : ''
  return sorted.slice(-MAX_LISTED).join(', ') + others
}

/** `v1.0`, `1.0.0` and `1_0_0` are near to each other. */
function fold(version: string): string {
  return version
    .toLowerCase()
    .replace(/^v(?=\d)/, '')
    .replace(/[_-]/g, '.')
}
