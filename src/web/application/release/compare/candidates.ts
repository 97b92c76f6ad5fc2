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
  readonly members: readonly Candidate[]
}

interface ComparedComponent {
  readonly name: string
  readonly project_id: number
}

/** Groups the components for a comparison, nearest first: other releases, the project, elsewhere. */
export function groupCandidates(component: ComparedComponent, candidates: readonly Candidate[]): readonly Group[] {
  const isHere = (candidate: Candidate): boolean => candidate.project_id === component.project_id
  const isRelease = (candidate: Candidate): boolean => isHere(candidate) && candidate.name === component.name
  const groups = [
    { name: 'Other releases of it', members: candidates.filter(isRelease).toSorted(newestFirst) },
    {
      name: 'In the same project',
      members: candidates.filter((candidate) => isHere(candidate) && !isRelease(candidate)),
    },
    { name: 'In other projects', members: candidates.filter((candidate) => !isHere(candidate)) },
  ]
  return groups.filter(({ members }) => members.length > 0)
}

/** The newest release before this one that has the same name; null for the first. */
export function releaseBefore<T extends ComparedComponent & Pick<Candidate, 'id' | 'version' | 'release'>>(
  component: T,
  components: readonly T[],
): T | null {
  return releasesOf(component, components).find((other) => newestFirst(component, other) < 0) ?? null
}

/** The releases of a component: those of its project with the same name, newest first. */
export function releasesOf<T extends ComparedComponent & ReleaseNumbers>(
  component: ComparedComponent,
  components: readonly T[],
): readonly T[] {
  const releases = components.filter(
    ({ name, project_id }) => name === component.name && project_id === component.project_id,
  )
  return releases.toSorted(newestFirst)
}

type ReleaseNumbers = Pick<Candidate, 'id' | 'version' | 'release'>

function newestFirst(a: ReleaseNumbers, b: ReleaseNumbers): number {
  const version = (b.version ?? -1) - (a.version ?? -1)
  return version || (b.release ?? -1) - (a.release ?? -1) || b.id - a.id
}
