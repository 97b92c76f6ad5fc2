import type { Release } from '../../benchmarks/releases.ts'
import { productNamed, releaseNamed, type Product, type ReleaseOfProduct } from '../find.ts'

/** A release that is found by its own address. */
export interface PlannedRelease extends ReleaseOfProduct {
  /** The release that it is compared with; null for the first one. */
  readonly from: Release | null
}

/**
 * Returns the products that are found by their own address. If an SRG and a STIG have the same benchmark id, only the
 * first is found.
 */
export function planProducts(products: readonly Product[]): readonly Product[] {
  return products.filter((product) => productNamed(products, product.newest.line) === product)
}

/** Returns the releases that are found by their own address, product by product, oldest first. */
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
