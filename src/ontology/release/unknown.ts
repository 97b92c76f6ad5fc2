import { nearestNames } from '../../graph/nearest.ts'
import { compareCodeUnits } from '../../graph/term.ts'
import { Refusal } from '../../platform/errors.ts'
import type { ReleaseFolder } from './folder.ts'

/** Names that a sentence lists; more are no help. */
const MOST_LISTED = 20
/** Longer ones are no version, and not worth repeating. */
const LONGEST_SHOWN = 100

/** The refusal of a version that does not exist, with those that are near. */
export async function unknownRelease(folder: ReleaseFolder, asked: string): Promise<Refusal> {
  return unknownAmong(await folder.versions(), asked)
}

export function unknownAmong(versions: readonly string[], asked: string): Refusal {
  const sorted = [...versions].sort(compareCodeUnits)
  const near = nearestNames(
    fold(asked),
    sorted.map((name) => ({ folded: fold(name), name })),
  ).map(({ name }) => name)
  const shown = asked.length > LONGEST_SHOWN ? `${asked.slice(0, LONGEST_SHOWN)}…` : asked
  const listed = sorted.slice(-MOST_LISTED).join(', ')
  const which = sorted.length > MOST_LISTED ? ', among others' : ''
  const known = listed === '' ? '' : ` There are: ${listed}${which}.`
  const members = near.length === 0 ? {} : { did_you_mean: near }
  return new Refusal('release_not_found', `There is no release "${shown}".${known}`, members)
}

/** `v1.0`, `1.0.0` and `1_0_0` are near to each other. */
function fold(version: string): string {
  return version
    .toLowerCase()
    .replace(/^v(?=\d)/, '')
    .replace(/[_-]/g, '.')
}
