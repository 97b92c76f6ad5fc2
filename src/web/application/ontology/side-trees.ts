import { computed, toValue, type ComputedRef, type MaybeRefOrGetter } from 'vue'
import { usePickedRelease } from '../client/release.ts'
import { leadsTo, type SideTreeContent, type TreeItem } from '../parts/record/side-tree.ts'
import { labelOf, nodeWith } from './json-ld.ts'
import { useMatrix } from './matrix-query.ts'
import { shapeAttackTactics } from './matrix/attack-tactics.ts'
import { attackColumns, type Cell } from './matrix/columns.ts'
import { useAttackNames } from './matrix/queries.ts'
import { useRecordLinks } from './record-links.ts'
import { matrixTree, type TreeNode } from './tree.ts'

/** The techniques of the tactic that a technique belongs to; null if it is in none of the matrix. */
export function useTechniqueTree(name: MaybeRefOrGetter<string>): ComputedRef<SideTreeContent | null> {
  const links = useRecordLinks()
  const matrix = useMatrix()
  const itemOf = ({ name: id, label, children }: TreeNode): TreeItem => ({
    name: id,
    label,
    to: links.technique(id),
    below: children.map(itemOf),
  })
  return computed(() => {
    for (const tactic of matrix.data.value ?? []) {
      const items = matrixTree(tactic.children).map(itemOf)
      if (items.some((item) => leadsTo(item, toValue(name))))
        return { title: tactic['rdfs:label'] ?? tactic['@id'], to: links.tactic(tactic['@id']), items }
    }
    return null
  })
}

/** Label of an attack by its id; null until it is known. */
export function useAttackLabels(): (id: string) => string | null {
  const query = useAttackNames()
  return (id) => {
    const node = query.data.value === undefined ? undefined : nodeWith(query.data.value, 'd3f:attack-id', id)
    return node === undefined ? null : labelOf(node)
  }
}

/** The attacks of the first tactic that an attack serves. */
export function useAttackTree(name: MaybeRefOrGetter<string>): ComputedRef<SideTreeContent | null> {
  const links = useRecordLinks()
  const release = usePickedRelease()
  const query = useAttackNames()
  const columns = computed(() => {
    const answer = query.data.value
    return answer === undefined ? [] : attackColumns(shapeAttackTactics(answer), answer)
  })
  const itemOf = (cell: Cell): TreeItem => ({
    name: cell.name,
    label: cell.label,
    to: links.attack(cell.id ?? cell.name),
    below: cell.below.map(itemOf),
  })
  return computed(() => {
    for (const { name: tactic, label, groups } of columns.value) {
      const cells = groups.flatMap((group) => group.cells)
      const items = cells.map(itemOf).toSorted((a, b) => a.label.localeCompare(b.label, 'en'))
      if (!items.some((item) => leadsTo(item, toValue(name)))) continue
      return { title: label, to: { path: '/attacks', query: { ...release.value.query, tactic } }, items }
    }
    return null
  })
}
