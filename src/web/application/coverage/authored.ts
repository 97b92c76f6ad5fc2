import type { Kind } from './question.ts'

/** A document, or all components of a project, that can be chosen. */
export interface Choice {
  readonly kind: Kind
  /** As the address names it. */
  readonly id: string
  readonly title: string
}

interface Component {
  readonly id: number
  readonly name: string
  readonly version: number | null
  readonly release: number | null
}

interface Project {
  readonly id: number
  readonly name: string
  readonly components: readonly Component[]
}

/** What somebody writes or may read of what is written: whole projects, their components, and what is released. */
export function authoredChoices(
  projects: readonly Project[],
  released: readonly Component[],
): readonly Choice[] {
  const own = projects.flatMap(({ name, components }) =>
    components.map((component) => choiceOf(component, `${titleOf(component)} (${name})`)),
  )
  const known = new Set(own.map(({ id }) => id))
  const others = released.map((component) => choiceOf(component, titleOf(component)))
  return [
    ...projects
      .filter(({ components }) => components.length > 0)
      .map(({ id, name }): Choice => ({ kind: 'project', id: String(id), title: name })),
    ...own,
    ...others.filter(({ id }) => !known.has(id)),
  ]
}

function choiceOf({ id }: Component, title: string): Choice {
  return { kind: 'component', id: String(id), title }
}

function titleOf({ name, version, release }: Component): string {
  const parts = [version === null ? '' : `V${version}`, release === null ? '' : `R${release}`]
  return `${name} ${parts.join('')}`.trim()
}
