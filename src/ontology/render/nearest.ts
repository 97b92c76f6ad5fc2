import { nearestNames, type Spelling } from '../../graph/nearest.ts'
import { d3f, rdfs, skos } from '../../graph/vocabulary.ts'
import type { Release } from '../release/release.ts'
import type { RecordView } from '../views/view.ts'

const ALSO_KNOWN_BY = [rdfs.label, skos.altLabel, d3f.synonym, d3f.d3fendId, d3f.attackId, d3f.cweId]

const spellingsByView = new WeakMap<Release, Map<RecordView, readonly Spelling[]>>()

/**
 * Known names that are similar to an unknown one, the most similar first. If some differ only in case, prefix or
 * punctuation, only these. Labels, synonyms and identifiers count as names.
 */
export function nearestMembers(release: Release, view: RecordView, name: string): readonly string[] {
  const near = nearestNames(fold(name), spellingsOf(release, view))
  const same = near.filter(({ differences }) => differences === 0)
  return (same.length > 0 ? same : near).map(({ name }) => name)
}

function spellingsOf(release: Release, view: RecordView): readonly Spelling[] {
  const ofRelease = spellingsByView.get(release) ?? new Map<RecordView, readonly Spelling[]>()
  spellingsByView.set(release, ofRelease)
  const spellings = ofRelease.get(view) ?? collectSpellings(release, view)
  ofRelease.set(view, spellings)
  return spellings
}

function collectSpellings(release: Release, view: RecordView): readonly Spelling[] {
  return [...view.members(release)].flatMap(([name, iri]) => {
    const known = ALSO_KNOWN_BY.flatMap((property) => release.summaries.values(iri, property))
    const folded = new Set([name, ...known.map(({ value }) => value)].map(fold))
    return Array.from(folded, (spelling) => ({ folded: spelling, name }))
  })
}

/** Makes `d3f:ProcessAnalysis`, `process-analysis` and `Process Analysis` equal, and `CWE-79` and `79`. */
function fold(name: string): string {
  return name
    .toLowerCase()
    .replace(/^.*[:#]/, '')
    .replace(/^cwe-?(?=\d)/, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
}
