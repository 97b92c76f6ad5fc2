import type { Release } from '../../benchmarks/releases.ts'
import { productNamed, releaseNamed, type Product, type ReleaseOfProduct } from '../find.ts'

/** A release whose own address leads to it. */
export interface PlannedRelease extends ReleaseOfProduct {
  /** The release that its changes are counted from; null for the first one. */
  readonly from: Release | null
}

/** Products whose address leads to them: a benchmark id may stand for an SRG and for a STIG, and the first is found. */
export function planProducts(products: readonly Product[]): readonly Product[] {
  return products.filter((product) => productNamed(products, product.newest.line) === product)
}

/** Releases whose address leads to them, product by product, the oldest first. */
export function planReleases(products: readonly Product[]): readonly PlannedRelease[] {
  return products.flatMap((product) =>
    product.releases.flatMap((release, index) => {
      const { benchmarkId, version } = release
      const isFound =
        productNamed(products, benchmarkId) === product && releaseNamed(product, benchmarkId, version) === release
      if (!isFound) return []
      const before = product.releases[index - 1]
      const from = before === undefined ? null : releaseNamed(product, benchmarkId, before.version)
      return [{ ...product, release, from }]
    }),
  )
}
