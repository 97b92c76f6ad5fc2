import type { SourceKind } from '../../paths/coverage.ts'

/** A document, or all components of a project, that can be chosen. */
export interface Choice {
  readonly kind: SourceKind
  /** Its value in the address. */
  readonly id: string
  readonly title: string
}

interface Component {
  readonly id: number
  readonly name: string
  readonly version: number | null
  readonly release: number | null
  readonly project_id: number
}

interface Project {
  readonly id: number
  readonly name: string
}

/** Lists the projects and components that the person may read. */
export function authoredChoices(projects: readonly Project[], components: readonly Component[]): readonly Choice[] {
  const names = new Map(projects.map(({ id, name }) => [id, name]))
  const projectsWithComponents = new Set(components.map((component) => component.project_id))
  return [
    ...projects
      .filter(({ id }) => projectsWithComponents.has(id))
      .map(({ id, name }): Choice => ({ kind: 'project', id: String(id), title: name })),
    ...components.map((component) => {
      const project = names.get(component.project_id)
      const title = titleOf(component)
      return {
        kind: 'component' as const,
        id: String(component.id),
        title: project === undefined ? title : `${title} (${project})`,
      }
    }),
  ]
}

function titleOf({ name, version, release }: Component): string {
  const parts = [version === null ? '' : `V${version}`, release === null ? '' : `R${release}`]
  return `${name} ${parts.join('')}`.trim()
}
