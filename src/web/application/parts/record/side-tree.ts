import type { RouteLocationRaw } from 'vue-router'

/** A record in the tree beside a record's text. */
export interface TreeItem {
  readonly name: string
  readonly label: string
  readonly to: RouteLocationRaw
  readonly below: readonly TreeItem[]
}

/** The tree that a record is in. */
export interface SideTreeContent {
  readonly title: string
  readonly to: RouteLocationRaw
  readonly items: readonly TreeItem[]
}

/** Whether the item is the named one or one of its ancestors. */
export function leadsTo(item: TreeItem, name: string): boolean {
  return item.name === name || item.below.some((child) => leadsTo(child, name))
}

/** Removes the descendants of items that are not ancestors of the named one. */
export function openAround(items: readonly TreeItem[], name: string): readonly TreeItem[] {
  return items.map((item) => ({ ...item, below: leadsTo(item, name) ? openAround(item.below, name) : [] }))
}

/** The items whose label has all words, with their ancestors. */
export function matchingItems(items: readonly TreeItem[], words: readonly string[]): readonly TreeItem[] {
  return items.flatMap((item) => {
    const below = matchingItems(item.below, words)
    const label = item.label.toLowerCase()
    return below.length > 0 || words.every((word) => label.includes(word)) ? [{ ...item, below }] : []
  })
}
