export interface Candidate {
  readonly id: number
  readonly name: string
  readonly version: number | null
  readonly release: number | null
  readonly prefix: string
  readonly project_id: number
  readonly project_name: string
}

interface Group {
  readonly name: string
  readonly of: readonly Candidate[]
}

interface ComparedComponent {
  readonly name: string
  readonly project_id: number
}

/** Groups the components for a comparison, nearest first: other releases, the project, elsewhere. */
export function groupCandidates(own: ComparedComponent, candidates: readonly Candidate[]): readonly Group[] {
  const isHere = (one: Candidate): boolean => one.project_id === own.project_id
  const isRelease = (one: Candidate): boolean => isHere(one) && one.name === own.name
  const groups = [
    { name: 'Other releases of it', of: candidates.filter(isRelease).toSorted(newestFirst) },
    { name: 'In the same project', of: candidates.filter((one) => isHere(one) && !isRelease(one)) },
    { name: 'In other projects', of: candidates.filter((one) => !isHere(one)) },
  ]
  return groups.filter(({ of }) => of.length > 0)
}

/** The newest release before this one that has the same name; null for the first. */
export function releaseBefore<T extends ComparedComponent & Pick<Candidate, 'id' | 'version' | 'release'>>(
  one: T,
  all: readonly T[],
): T | null {
  return releasesOf(one, all).find((other) => newestFirst(one, other) < 0) ?? null
}

/** The releases of a component: those of its project with the same name, newest first. */
export function releasesOf<T extends ComparedComponent & ReleaseNumbers>(
  own: ComparedComponent,
  all: readonly T[],
): readonly T[] {
  const same = all.filter(({ name, project_id }) => name === own.name && project_id === own.project_id)
  return same.toSorted(newestFirst)
}

type ReleaseNumbers = Pick<Candidate, 'id' | 'version' | 'release'>

function newestFirst(a: ReleaseNumbers, b: ReleaseNumbers): number {
  const version = (b.version ?? -1) - (a.version ?? -1)
  return version || (b.release ?? -1) - (a.release ?? -1) || b.id - a.id
}
