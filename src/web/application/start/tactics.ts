import type { components } from '#api-types'

type MatrixTactic = components['schemas']['DAOMatrix']
type MatrixTechnique = components['schemas']['MatrixTechnique']

interface TacticCount {
  readonly name: string
  readonly label: string
  /** Techniques at and below it, each once. */
  readonly count: number
}

interface Tactic extends TacticCount {
  readonly techniques: readonly TacticCount[]
}

export function shapeTactics(matrix: readonly MatrixTactic[]): readonly Tactic[] {
  return matrix.map((tactic) => ({
    name: tactic['@id'],
    label: tactic['rdfs:label'] ?? tactic['@id'],
    count: namesBelow(tactic).size,
    techniques: tactic.children.map((technique) => ({
      name: technique['@id'],
      label: technique['rdfs:label'] ?? technique['@id'],
      count: namesBelow(technique).size + 1,
    })),
  }))
}

function namesBelow({ children = [] }: Pick<MatrixTechnique, 'children'>): ReadonlySet<string> {
  return new Set(children.flatMap((child) => [child['@id'], ...namesBelow(child)]))
}
