/** The fields of a project that the page reads, named as in the API. */
export interface ProjectSummary {
  readonly name: string
  readonly description: string | null
  readonly admin_name: string | null
  readonly is_member: boolean
  readonly access_request_id: number | null
}

export const PROJECT_SCOPES = ['mine', 'others', 'all'] as const
export type ProjectScope = (typeof PROJECT_SCOPES)[number]

/** Reads the scope from the address; by default the person's own projects, if any. */
export function readScope(addressed: string, projects: readonly ProjectSummary[]): ProjectScope {
  const scope = PROJECT_SCOPES.find((name) => name === addressed)
  return scope ?? (projects.some(({ is_member }) => is_member) ? 'mine' : 'all')
}

export function isInScope({ is_member }: ProjectSummary, scope: ProjectScope): boolean {
  return scope === 'all' || is_member === (scope === 'mine')
}

/** Finds projects that have all words in the name, the description or the administrator's name. */
export function matchingProjects<T extends ProjectSummary>(
  projects: readonly T[],
  { shown, words }: { readonly shown: ProjectScope; readonly words: readonly string[] },
): readonly T[] {
  return projects
    .filter((project) => isInScope(project, shown))
    .filter(({ name, description, admin_name }) => {
      const text = `${name} ${description ?? ''} ${admin_name ?? ''}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
}
