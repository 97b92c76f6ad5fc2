import type { Reader } from '../../../database/transaction.ts'
import type { Release } from '../../benchmarks/releases.ts'
import {
  benchmarkAddress,
  changesAddress,
  FEED_ADDRESS,
  fileAddress,
  LIST_ADDRESS,
  releaseAddress,
  ruleAddress,
} from '../addresses.ts'
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

/** The addresses of all documents. */
export async function planAddresses(reader: Reader, products: readonly Product[]): Promise<readonly string[]> {
  const addresses = [
    LIST_ADDRESS,
    FEED_ADDRESS,
    ...planProducts(products).map(({ newest }) => benchmarkAddress(newest.line)),
  ]
  for (const planned of planReleases(products)) {
    const { release } = planned
    addresses.push(...addressesBeside(planned))
    for (const ruleId of await findRuleIds(reader, release.id)) addresses.push(ruleAddress(release, ruleId))
  }
  return addresses
}

/** The addresses of a release without its rules. */
function addressesBeside({ release, from }: PlannedRelease): readonly string[] {
  const own = [releaseAddress(release), fileAddress(release, 'xml'), fileAddress(release, 'csv')]
  return from === null ? own : [...own, changesAddress(from, release, 'json'), changesAddress(from, release, 'csv')]
}

async function findRuleIds(reader: Reader, id: number): Promise<ReadonlySet<string>> {
  const rows = await reader.selectFrom('benchmark_rules').select('rule_id').where('benchmark_id', '=', id).execute()
  return new Set(rows.map(({ rule_id }) => rule_id))
}
