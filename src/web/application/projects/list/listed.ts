/** What is read of a project, by the names that the API has. */
export interface ListedProject {
  readonly name: string
  readonly description: string | null
  readonly admin_name: string | null
  readonly is_member: boolean
  readonly access_request_id: number | null
}

export const SHOWN = ['mine', 'others', 'all'] as const
export type Shown = (typeof SHOWN)[number]

/** What the address says; without it one's own, if there are any. */
export function readShown(addressed: string, projects: readonly ListedProject[]): Shown {
  const named = SHOWN.find((name) => name === addressed)
  return named ?? (projects.some(({ is_member }) => is_member) ? 'mine' : 'all')
}

export function isShown({ is_member }: ListedProject, shown: Shown): boolean {
  return shown === 'all' || is_member === (shown === 'mine')
}

/** Those that have all of the words in their name, description or the name of their administrator. */
export function matchingProjects<T extends ListedProject>(
  projects: readonly T[],
  { shown, words }: { readonly shown: Shown; readonly words: readonly string[] },
): readonly T[] {
  return projects
    .filter((project) => isShown(project, shown))
    .filter(({ name, description, admin_name }) => {
      const text = `${name} ${description ?? ''} ${admin_name ?? ''}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
}
