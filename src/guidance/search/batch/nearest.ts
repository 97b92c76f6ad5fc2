import { setTimeout as wait } from 'node:timers/promises'
import type { OntologyLookup } from '../../../contracts/lookup.ts'
import type { Search } from '../../../contracts/search.ts'
import { nearestNames, type Spelling } from '../../../graph/nearest.ts'
import { nistControls } from '../../catalogue/benchmarks/nist-controls.ts'

/** At most so many suggestions are made for a name. */
const MOST = 5
/** Names that nothing has, for which others are looked for; so many at a time. */
const MOST_NAMES = 200
const PORTION = 20
/** Fewer names of rules are looked up, because there are many rules. */
const MOST_RULES = 60
const PATIENCE_MS = 2000

export interface NearestParts {
  /** Null where there is no ontology. */
  readonly ontology: OntologyLookup | null
  readonly search: Pick<Search<never>, 'nearNames' | 'isPreparing'>
}

type SimilarNames = readonly (readonly string[])[]

/**
 * Names of the ontology, CCIs of the list and names of rules that are nearest to some that nothing has. In portions, so
 * that others are answered in between.
 */
export async function findNearest(
  parts: NearestParts,
  unknown: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const similar = new Map<string, readonly string[]>()
  const names = unknown.slice(0, MOST_NAMES)
  const rules = new Set(names.filter(mayBeRule).slice(0, MOST_RULES))
  for (let at = 0; at < names.length; at += PORTION) {
    const portion = names.slice(at, at + PORTION)
    const [ofOntology, ofRules] = await Promise.all([
      inOntology(parts, portion),
      amongRules(
        parts,
        portion.map((name) => (rules.has(name) ? name : '')),
      ),
    ])
    for (const [place, name] of portion.entries()) {
      const found = [...nearCcis(name), ...(ofRules[place] ?? []), ...(ofOntology[place] ?? [])]
      similar.set(name, [...new Set(alikeFirst(name, found))].slice(0, MOST))
    }
  }
  return similar
}

/** A source that cannot answer makes no suggestions. */
async function inOntology({ ontology }: NearestParts, names: readonly string[]): Promise<SimilarNames> {
  return (await ontology?.nearest(names).catch(() => [])) ?? []
}

/** A search that is still being read, or is busy, is not waited for. */
async function amongRules({ search }: NearestParts, names: readonly string[]): Promise<SimilarNames> {
  if (search.isPreparing || names.every((name) => name === '')) return []
  const late = wait(PATIENCE_MS, [], { ref: false })
  return Promise.race([search.nearNames(names).catch(() => []), late])
}

/** Every name of a rule has a number. */
function mayBeRule(name: string): boolean {
  return /\d/.test(name)
}

function nearCcis(name: string): readonly string[] {
  const folded = foldCci(name)
  return /^c[ci]{2}/.test(folded) ? nearestNames(folded, ccis()).map((near) => near.name) : []
}

let spellings: readonly Spelling[] | null = null

function ccis(): readonly Spelling[] {
  spellings ??= Array.from(nistControls().keys(), (name) => ({ folded: foldCci(name), name }))
  return spellings
}

function foldCci(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

/** Names that begin with the same letters come first, because they are of the same kind. */
function alikeFirst(name: string, candidates: readonly string[]): readonly string[] {
  const kind = kindOf(name)
  const isAlike = (one: string): boolean => kindOf(one) === kind
  return [...candidates.filter(isAlike), ...candidates.filter((one) => !isAlike(one))]
}

function kindOf(name: string): string {
  return /^\p{L}*/u.exec(name)?.[0].toLowerCase() ?? ''
}
