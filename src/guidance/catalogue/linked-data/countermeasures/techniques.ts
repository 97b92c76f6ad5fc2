import { distance } from 'fastest-levenshtein'
import type { NamedTechnique } from '../../../../contracts/sources.ts'
import { compareCodeUnits } from '../../../../graph/term.ts'
import { D3F } from '../../../../graph/vocabulary.ts'
import { Refusal } from '../../../../platform/errors.ts'
import type { LinkedOntology } from '../graph/catalogue-graph.ts'
import { shortName } from './names.ts'

const MOST = 5
/** Beyond this length a name is not a slip of the pen, and comparing it costs too much. */
const LONGEST = 100

/**
 * The technique of a name: `d3f:AccountLocking`, `AccountLocking`, `D3-AL` or the full IRI. Refuses
 * unknown ones and tells the nearest.
 */
export function findTechnique(
  { techniques, version }: LinkedOntology,
  name: string,
): NamedTechnique {
  const iri = D3F + name.replace(/^d3f:/, '')
  const found =
    techniques.find((technique) => technique.iri === name || technique.iri === iri) ??
    techniques.find(({ d3fendId }) => d3fendId?.toUpperCase() === name.toUpperCase())
  if (found !== undefined) return found
  const near = nearest(techniques, name)
  const hint = near[0] === undefined ? '' : ` Did you mean ${near[0]}?`
  const detail = `There is no technique "${name}" in release ${version}.${hint}`
  throw new Refusal('subject_not_found', detail, near.length === 0 ? {} : { did_you_mean: near })
}

/** Short names, best first: at most a quarter of the letters may differ. */
function nearest(techniques: readonly NamedTechnique[], name: string): readonly string[] {
  const wanted = fold(name)
  if (wanted === '' || name.length > LONGEST) return []
  const bound = Math.max(1, Math.floor(wanted.length / 4))
  return techniques
    .map((technique) => ({ name: shortName(technique.iri), apart: apart(technique, wanted) }))
    .filter((candidate) => candidate.apart <= bound)
    .sort((a, b) => a.apart - b.apart || compareCodeUnits(a.name, b.name))
    .slice(0, MOST)
    .map((candidate) => candidate.name)
}

function apart({ iri, label, d3fendId }: NamedTechnique, wanted: string): number {
  const spellings = [shortName(iri), label, d3fendId].filter((spelling) => spelling !== null)
  return Math.min(...spellings.map((spelling) => distance(fold(spelling), wanted)))
}

/** `d3f:AccountLocking`, `account-locking` and `Account Locking` alike. */
function fold(name: string): string {
  return name
    .toLowerCase()
    .replace(/^.*[:#]/, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
}
