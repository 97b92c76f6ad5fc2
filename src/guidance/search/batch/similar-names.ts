import { setTimeout as wait } from 'node:timers/promises'
import type { OntologyLookup } from '../../../contracts/lookup.ts'
import type { Search } from '../../../contracts/search.ts'
import { nearestNames, type Spelling } from '../../../graph/nearest.ts'
import { inPortions } from '../../../platform/concurrency/turns.ts'
import { nistControls } from '../../catalogue/benchmarks/nist-controls.ts'

/** Limit of suggestions for a name. */
const MAX_SUGGESTIONS = 5
/** Limit of unknown names with suggestions, and how many are looked up at a time. */
const MAX_NAMES = 200
const BATCH_SIZE = 20
/** Fewer names of rules are looked up, because there are many rules. */
const MAX_RULES = 60
const TIMEOUT_MS = 2000

export interface SimilarNamesParts {
  /** Null where there is no ontology. */
  readonly ontology: OntologyLookup | null
  readonly search: Pick<Search<never>, 'findSimilarNames' | 'isPreparing'>
}

type SimilarNames = readonly (readonly string[])[]

/**
 * Names of the ontology, CCIs of the list and names of rules that are most similar to each unknown name. Works in portions,
 * so that other requests are answered in between.
 */
export async function findSimilarNames(
  parts: SimilarNamesParts,
  unknown: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const similar = new Map<string, readonly string[]>()
  const names = unknown.slice(0, MAX_NAMES)
  const rules = new Set(names.filter(mayBeRule).slice(0, MAX_RULES))
  for await (const portion of inPortions(names, BATCH_SIZE)) {
    const [ofOntology, ofRules] = await Promise.all([
      similarOntologyNames(parts, portion),
      similarRuleNames(
        parts,
        portion.map((name) => (rules.has(name) ? name : '')),
      ),
    ])
    for (const [index, name] of portion.entries()) {
      const candidates = [...similarCcis(name), ...(ofRules[index] ?? []), ...(ofOntology[index] ?? [])]
      similar.set(name, [...new Set(sameKindFirst(name, candidates))].slice(0, MAX_SUGGESTIONS))
    }
  }
  return similar
}

/** Makes no suggestions if the ontology cannot answer. */
async function similarOntologyNames({ ontology }: SimilarNamesParts, names: readonly string[]): Promise<SimilarNames> {
  return (await ontology?.findSimilarNames(names).catch(() => [])) ?? []
}

/** Does not wait for a search that is busy or still reads its index. */
async function similarRuleNames({ search }: SimilarNamesParts, names: readonly string[]): Promise<SimilarNames> {
  if (search.isPreparing || names.every((name) => name === '')) return []
  const noneInTime = wait(TIMEOUT_MS, [], { ref: false })
  return Promise.race([search.findSimilarNames(names).catch(() => []), noneInTime])
}

/** Every name of a rule has a number. */
function mayBeRule(name: string): boolean {
  return /\d/.test(name)
}

function similarCcis(name: string): readonly string[] {
  const folded = foldCci(name)
  return /^c[ci]{2}/.test(folded) ? nearestNames(folded, ccis()).map((match) => match.name) : []
}

let spellings: readonly Spelling[] | null = null

function ccis(): readonly Spelling[] {
  spellings ??= Array.from(nistControls().keys(), (name) => ({ folded: foldCci(name), name }))
  return spellings
}

function foldCci(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

/** Sorts names with the same first letters to the front, because they are of the same kind. */
function sameKindFirst(name: string, candidates: readonly string[]): readonly string[] {
  const kind = kindOf(name)
  const isSameKind = (candidate: string): boolean => kindOf(candidate) === kind
  return [...candidates.filter(isSameKind), ...candidates.filter((candidate) => !isSameKind(candidate))]
}

function kindOf(name: string): string {
  return /^\p{L}*/u.exec(name)?.[0].toLowerCase() ?? ''
}
