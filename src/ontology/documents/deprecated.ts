import { readQuery } from '../../graph/query.ts'
import { compareCodeUnits, type Term } from '../../graph/term.ts'
import { append } from '../../platform/append.ts'
import type { Release } from '../release/release.ts'

const DEPRECATED = readQuery(new URL('./deprecated.rq', import.meta.url), ['subject'], ['successor'])

/**
 * Deprecated subjects of a release by IRI, each with the IRIs of the subjects that are named as its successors, sorted.
 * ATT&CK's revoked techniques name theirs by identifier (`"T1560"`). A reference to a page names none.
 */
export async function findDeprecated(
  release: Release,
  identified: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>()
  for (const { subject, successor } of await release.graph.select(DEPRECATED)) {
    if (!found.has(subject.value)) found.set(subject.value, [])
    const iri = successor === undefined ? undefined : subjectNamed(release, identified, successor)
    if (iri !== undefined && iri !== subject.value) append(found, subject.value, iri)
  }
  for (const successors of found.values()) successors.sort(compareCodeUnits)
  return found
}

function subjectNamed({ subjects }: Release, identified: ReadonlyMap<string, string>, term: Term): string | undefined {
  if (term.type === 'literal') return identified.get(term.value.trim())
  return subjects.has(term.value) ? term.value : undefined
}
