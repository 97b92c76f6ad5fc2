import type { components } from '#api-types'

type MatrixTactic = components['schemas']['DAOMatrix']
type MatrixTechnique = components['schemas']['MatrixTechnique']

interface TacticCount {
  readonly name: string
  readonly label: string
  /** Techniques below it, each once. */
  readonly count: number
}

export function shapeTactics(matrix: readonly MatrixTactic[]): readonly TacticCount[] {
  return matrix.map((tactic) => ({
    name: tactic['@id'],
    label: tactic['rdfs:label'] ?? tactic['@id'],
    count: namesBelow(tactic).size,
  }))
}

/** Techniques of the whole matrix, each once. */
export function countTechniques(matrix: readonly MatrixTactic[]): number {
  return new Set(matrix.flatMap((tactic) => [...namesBelow(tactic)])).size
}

function namesBelow({ children = [] }: Pick<MatrixTechnique, 'children'>): ReadonlySet<string> {
  return new Set(children.flatMap((child) => [child['@id'], ...namesBelow(child)]))
}
