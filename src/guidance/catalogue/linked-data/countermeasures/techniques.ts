import type { NamedTechnique } from '../../../../contracts/sources.ts'
import { nearestNames, type Spelling } from '../../../../graph/nearest.ts'
import { D3F } from '../../../../graph/vocabulary.ts'
import { Refusal } from '../../../../platform/errors.ts'
import type { ControlLinks } from './control-links.ts'
import { shortName } from './names.ts'

/**
 * The technique with a name: `d3f:AccountLocking`, `AccountLocking`, `D3-AL` or the full IRI. Refuses unknown
 * names, and suggests the nearest.
 */
export function findTechnique(
  { techniques, version }: Pick<ControlLinks, 'techniques' | 'version'>,
  name: string,
): NamedTechnique {
  const iri = D3F + name.replace(/^d3f:/, '')
  const found =
    techniques.find((technique) => technique.iri === name || technique.iri === iri) ??
    techniques.find(({ d3fendId }) => d3fendId?.toUpperCase() === name.toUpperCase())
  if (found !== undefined) return found
  const near = nearestNames(fold(name), techniques.flatMap(spellingsOf)).map((one) => one.name)
  const hint = near[0] === undefined ? '' : ` Did you mean ${near[0]}?`
  const detail = `There is no technique "${name}" in release ${version}.${hint}`
  throw new Refusal('subject_not_found', detail, near.length === 0 ? {} : { did_you_mean: near })
}

function spellingsOf({ iri, label, d3fendId }: NamedTechnique): readonly Spelling[] {
  const name = shortName(iri)
  const spellings = [name, label, d3fendId].filter((spelling) => spelling !== null)
  return spellings.map((spelling) => ({ folded: fold(spelling), name }))
}

/** Gives one key to `d3f:AccountLocking`, `account-locking` and `Account Locking`. */
function fold(name: string): string {
  return name
    .toLowerCase()
    .replace(/^.*[:#]/, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
}
