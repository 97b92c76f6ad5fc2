import type { RecordOwner } from '../../contracts/search-feed.ts'
import { ownerNumber } from '../index/library.ts'
import { productWords } from '../index/product-words.ts'

/** A product of which so much is named is meant. */
const ENOUGH = 0.55
/** What naming a product is worth for its rules. */
export const PRODUCT = 1.5

/** What tells a product from others: its words, each with how rare it is among products. */
export interface ProductNames {
  /** By owner: of each of its names the words. */
  readonly names: ReadonlyMap<number, readonly (readonly string[])[]>
  readonly rarity: ReadonlyMap<string, number>
}

export function productNames(owners: Iterable<RecordOwner>): ProductNames {
  const names = new Map<number, readonly (readonly string[])[]>()
  const counts = new Map<string, number>()
  for (const owner of owners) {
    if (owner.benchmark === null) continue
    const own = [owner.title, ...owner.names].map(productWords).filter(({ length }) => length > 0)
    names.set(ownerNumber(owner), own)
    for (const word of new Set(own.flat())) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  const rarity = new Map(
    Array.from(counts, ([word, count]) => [word, Math.log(1 + names.size / count)]),
  )
  return { names, rarity }
}

/** The owners whose product a query names, best matches only. */
export function namedProducts(
  words: readonly string[],
  products: ProductNames,
): ReadonlySet<number> {
  const asked = new Set(words.flatMap((word) => [word, ...apart(word)]))
  const shares = new Map<number, number>()
  for (const [owner, names] of products.names)
    shares.set(owner, Math.max(0, ...names.map((name) => shareOf(name, asked, products))))
  const best = Math.max(0, ...shares.values())
  if (best < ENOUGH) return new Set()
  return new Set([...shares].flatMap(([owner, share]) => (share >= best - 1e-9 ? [owner] : [])))
}

function shareOf(
  name: readonly string[],
  asked: ReadonlySet<string>,
  { rarity }: ProductNames,
): number {
  let [met, all] = [0, 0]
  for (const word of name) {
    const worth = rarity.get(word) ?? 0
    all += worth
    if (asked.has(word)) met += worth
  }
  return all === 0 ? 0 : met / all
}

/** `rhel9` → rhel, 9. */
function apart(word: string): readonly string[] {
  const [, letters, digits] = /^(\p{L}{2,})(\d{1,4})$/u.exec(word) ?? []
  return letters === undefined || digits === undefined ? [] : [letters, digits]
}
