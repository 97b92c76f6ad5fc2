/** What is read of a project, by the names that the API has. */
export interface ListedProject {
  readonly name: string
  readonly description: string | null
  readonly admin_name: string | null
  readonly is_member: boolean
  readonly access_request_id: number | null
}

export const PROJECT_SCOPES = ['mine', 'others', 'all'] as const
export type ProjectScope = (typeof PROJECT_SCOPES)[number]

/** What the address says; without it one's own, if there are any. */
export function readScope(addressed: string, projects: readonly ListedProject[]): ProjectScope {
  const named = PROJECT_SCOPES.find((name) => name === addressed)
  return named ?? (projects.some(({ is_member }) => is_member) ? 'mine' : 'all')
}

export function isInScope({ is_member }: ListedProject, shown: ProjectScope): boolean {
  return shown === 'all' || is_member === (shown === 'mine')
}

/** Those that have all of the words in their name, description or the name of their administrator. */
export function matchingProjects<T extends ListedProject>(
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
