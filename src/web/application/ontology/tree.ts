import { labelOf, linksOf, textOf, type JsonLd, type NamedRecord, type Node } from './json-ld.ts'

export interface TreeNode extends NamedRecord {
  readonly definition: string | null
  readonly children: readonly TreeNode[]
}

/** The tree of a flat graph; what has nothing above it in there stands at the top. */
export function treeOf({ '@graph': nodes }: JsonLd): readonly TreeNode[] {
  const names = new Set(nodes.map((node) => node['@id']))
  const parentNames = new Map(
    nodes.map((node) => [
      node['@id'],
      linksOf(node, 'rdfs:subClassOf').filter((name) => names.has(name) && name !== node['@id']),
    ]),
  )
  const shapeChildren = (name: string, ancestors: ReadonlySet<string>): TreeNode[] =>
    nodes
      .filter((node) => (parentNames.get(node['@id']) ?? []).includes(name) && !ancestors.has(node['@id']))
      .map((node) => shapeNode(node, ancestors))
  const shapeNode = (node: Node, ancestors: ReadonlySet<string>): TreeNode => ({
    name: node['@id'],
    label: labelOf(node),
    definition: textOf(node, 'd3f:definition'),
    children: shapeChildren(node['@id'], new Set([...ancestors, node['@id']])),
  })
  return nodes.filter((node) => parentNames.get(node['@id'])?.length === 0).map((node) => shapeNode(node, new Set()))
}

interface MatrixTechnique {
  readonly '@id': string
  readonly 'rdfs:label'?: string
  readonly 'd3f:definition'?: string
  readonly children?: readonly MatrixTechnique[]
}

/** The tree below a tactic of the matrix. */
export function matrixTree(techniques: readonly MatrixTechnique[]): readonly TreeNode[] {
  return techniques.map((technique) => ({
    name: technique['@id'],
    label: technique['rdfs:label'] ?? technique['@id'],
    definition: technique['d3f:definition'] ?? null,
    children: matrixTree(technique.children ?? []),
  }))
}
