import type { RecordOwner } from '../../contracts/search-feed.ts'
import { wordsOf } from '../../platform/words.ts'
import { ownerNumber } from '../index/library.ts'
import { productWords } from '../index/product-words.ts'
import { PRODUCT_FAMILIES } from '../query/product-families.ts'
import { withShare, type ScoredTerm } from '../query/scored-terms.ts'
import type { OwnerFactors } from './owner-factors.ts'

/** A query names a product if it has at least this share of the weight of its name. */
const MIN_NAMED_SHARE = 0.55
/** Factor for the rules of a product that the query names. */
const PRODUCT_FACTOR = 1.5
/** Factor where the query names a family of products alone, such as Windows. */
const FAMILY_FACTOR = 1.2
/** Weight of a word for a family compared to words for a subject. */
const FAMILY_WORD_SHARE = 0.5

/** Words of product names, weighted by their rarity among products. */
export interface ProductNames {
  /** Owner of each name, and the total weight of its words. */
  readonly owners: readonly number[]
  readonly totals: readonly number[]
  /** Weight of each word, and the names that have it. */
  readonly words: ReadonlyMap<string, { worth: number; readonly names: number[] }>
  /** Neighbouring words that are also written as one: `redhat`, `ws2022`. */
  readonly joined: ReadonlyMap<string, readonly string[]>
}

export function productNames(owners: Iterable<RecordOwner>): ProductNames {
  const namedBenchmarks = [...owners].filter(({ benchmark }) => benchmark !== null)
  const namedOwners: number[] = []
  const totals: number[] = []
  const words = new Map<string, { worth: number; owners: number; readonly names: number[] }>()
  const joined: JoinedWords[] = []
  for (const owner of namedBenchmarks) {
    const names = [owner.title, ...owner.names].map(productWords).filter(({ length }) => length > 0)
    for (const name of names) {
      const number = namedOwners.push(ownerNumber(owner)) - 1
      joined.push(...joinedIn(name))
      for (const word of name) {
        const entry = words.get(word) ?? { worth: 0, owners: 0, names: [] }
        entry.names.push(number)
        words.set(word, entry)
      }
    }
    for (const word of new Set(names.flat())) {
      const entry = words.get(word)
      if (entry !== undefined) entry.owners += 1
    }
  }
  for (const word of words.values()) {
    word.worth = Math.log(1 + namedBenchmarks.length / word.owners)
    for (const name of word.names) totals[name] = (totals[name] ?? 0) + word.worth
  }
  return { owners: namedOwners, totals, words, joined: new Map(joined) }
}

/** A joined form and its words. */
type JoinedWords = readonly [string, readonly string[]]

function joinedIn(name: readonly string[]): readonly JoinedWords[] {
  const pairs = name.slice(1).map((word, index) => [name[index] ?? '', word])
  return [...pairs.map((pair) => [pair.join(''), pair] as const), ...initialsIn(name)]
}

/** `ws2022` of Windows Server 2022, `ol8` of Oracle Linux 8. */
function initialsIn(name: readonly string[]): readonly JoinedWords[] {
  const number = name.findIndex((word) => /^\d+$/.test(word))
  if (number < 2) return []
  return name.slice(0, number - 1).map((_, from) => {
    const words = name.slice(from, number + 1)
    const letters = words.slice(0, -1).map((word) => word.slice(0, 1))
    return [[...letters, words.at(-1)].join(''), words] as const
  })
}

export interface NamedProducts {
  readonly owners: ReadonlySet<number>
  /** For the rules of these owners. */
  readonly factor: number
  /** True if the query names products and nothing else. */
  readonly areAll: boolean
}

/** The owners whose product a query names, best matches only; else those of the family that it names. */
export function namedProducts(words: readonly string[], products: ProductNames): NamedProducts {
  const shares = namedShares(words, products)
  let best = 0
  for (const share of shares) if (share > best) best = share
  if (best < MIN_NAMED_SHARE) return namedFamilies(words, products)
  const names = new Set<number>()
  for (let name = 0; name < shares.length; name += 1) if ((shares[name] ?? 0) >= best - 1e-9) names.add(name)
  const isIn = (word: string): boolean => products.words.get(word)?.names.some((name) => names.has(name)) === true
  return {
    owners: ownersOf(names, products),
    factor: PRODUCT_FACTOR,
    areAll: words.every((word) => [word, ...splitProductWord(word, products)].some(isIn)),
  }
}

function namedFamilies(words: readonly string[], products: ProductNames): NamedProducts {
  const families = words.filter((word) => PRODUCT_FAMILIES.has(word))
  const names = families.flatMap((word) => products.words.get(word)?.names ?? [])
  return { owners: ownersOf(names, products), factor: FAMILY_FACTOR, areAll: false }
}

function ownersOf(names: Iterable<number>, { owners }: ProductNames): ReadonlySet<number> {
  return new Set(Array.from(names, (name) => owners[name] ?? 0))
}

/**
 * Reduces the weight of words for a family of products and its version, if the query has other words: for "banner cisco
 * switch", a rule about banners comes before a rule that only has Cisco.
 */
export function lessenFamilyTerms(terms: readonly ScoredTerm[]): readonly ScoredTerm[] {
  const isAside = terms.map((term, index) => isFamily(term) || (isNumber(term) && isFamily(terms[index - 1])))
  if (isAside.every(Boolean)) return terms
  return terms.map((term, index) => (isAside[index] === true ? withShare(term, FAMILY_WORD_SHARE) : term))
}

/** `windows`, `rhel9` */
function isFamily(term: ScoredTerm | undefined): boolean {
  const [name = ''] = /^\p{L}+(?=\d*$)/u.exec(term?.term.text ?? '') ?? []
  return wordsOf(name).some((word) => PRODUCT_FAMILIES.has(word))
}

function isNumber({ term }: ScoredTerm): boolean {
  return /^\d[\d.]*$/.test(term.text)
}

/** The share of each name that the words cover. */
function namedShares(words: readonly string[], products: ProductNames): Float64Array {
  const { totals, words: productWords } = products
  const shares = new Float64Array(totals.length)
  for (const word of new Set(words.flatMap((typed) => [typed, ...splitProductWord(typed, products)]))) {
    const { worth = 0, names = [] } = productWords.get(word) ?? {}
    for (const name of names) shares[name] = (shares[name] ?? 0) + worth
  }
  for (let name = 0; name < shares.length; name += 1) shares[name] = (shares[name] ?? 0) / (totals[name] ?? 1)
  return shares
}

/** `rhel9` → rhel, 9; `redhat` → red, hat. */
function splitProductWord(word: string, { joined }: ProductNames): readonly string[] {
  const spellings = joined.get(word) ?? []
  const [, letters, digits] = /^(\p{L}{2,})(\d{1,4})$/u.exec(word) ?? []
  if (letters === undefined || digits === undefined) return spellings
  return [letters, digits, ...(joined.get(letters) ?? []), ...spellings]
}

/**
 * Ranks rules of named products higher. If the query names nothing else, the product may be a subject, such as DNS:
 * then the rules of other products are ranked lower instead.
 */
export function preferProducts(
  { owners: namedOwners, factor, areAll }: NamedProducts,
  factors: OwnerFactors,
  { owners }: ProductNames,
): OwnerFactors {
  if (namedOwners.size === 0) return factors
  const ownFactors = factors.slice()
  const others = [...new Set(owners)].filter((owner) => !namedOwners.has(owner))
  for (const owner of areAll ? others : namedOwners)
    ownFactors[owner] = (ownFactors[owner] ?? 0) * (areAll ? 1 / factor : factor)
  return ownFactors
}
