import { distance } from 'fastest-levenshtein'
import { compareCodeUnits } from '../../graph/term.ts'
import { d3f, rdfs, skos } from '../../graph/vocabulary.ts'
import type { Release } from '../release/release.ts'
import type { RecordView } from '../views/view.ts'

const MOST = 5
/** Beyond this length a name is not a slip of the pen, and comparing it costs too much. */
const LONGEST = 100
const ALSO_KNOWN_BY = [
  rdfs.label,
  skos.altLabel,
  d3f.synonym,
  d3f.d3fendId,
  d3f.attackId,
  d3f.cweId,
]

interface Spelling {
  readonly folded: string
  readonly name: string
}

const spellingsByView = new WeakMap<Release, Map<RecordView, readonly Spelling[]>>()

/**
 * Names near to one that does not exist, best first: those that are the same but for case, prefix
 * and punctuation, then those a few letters away. Labels, synonyms and identifiers count as names.
 */
export function nearestNames(release: Release, view: RecordView, asked: string): readonly string[] {
  const wanted = fold(asked)
  if (wanted === '' || wanted.length > LONGEST) return []
  const bound = Math.max(1, Math.floor(wanted.length / 4))
  const best = new Map<string, number>()
  for (const { folded, name } of spellingsOf(release, view)) {
    if (Math.abs(folded.length - wanted.length) > bound) continue
    const apart = folded === wanted ? 0 : distance(folded, wanted)
    if (apart <= bound && apart < (best.get(name) ?? Infinity)) best.set(name, apart)
  }
  const exact = [...best].filter(([, apart]) => apart === 0)
  return (exact.length > 0 ? exact : [...best])
    .sort(([a, x], [b, y]) => x - y || compareCodeUnits(a, b))
    .slice(0, MOST)
    .map(([name]) => name)
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

/** `d3f:ProcessAnalysis`, `process-analysis` and `Process Analysis` alike; `CWE-79` is also `79`. */
function fold(name: string): string {
  return name
    .toLowerCase()
    .replace(/^.*[:#]/, '')
    .replace(/^cwe-?(?=\d)/, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
}
