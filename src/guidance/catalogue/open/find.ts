import { notFound } from '../../../http/input.ts'
import { append } from '../../../platform/append.ts'
import { Refusal } from '../../../platform/errors.ts'
import type { BenchmarkKind } from '../../database/schema/benchmarks.ts'
import type { Reader } from '../../database/transaction.ts'
import { findRuleAt, type StoredRule } from '../benchmarks/reader.ts'
import { lineKey, listReleases, type Release } from '../benchmarks/releases.ts'

/** A product with its releases, the oldest first. */
export interface Product {
  readonly newest: Release
  readonly releases: readonly Release[]
}

/** A release with the product that it belongs to. */
export interface ReleaseOfProduct extends Product {
  readonly release: Release
}

/** All products, by kind and benchmark id. */
export async function findProducts(reader: Reader): Promise<readonly Product[]> {
  return productsOf(await listReleases(reader))
}

/** Groups releases by product. They must be in the order of `listReleases`. */
export function productsOf(releases: readonly Release[]): readonly Product[] {
  const lines = new Map<string, Release[]>()
  for (const release of releases) append(lines, lineKey(release), release)
  return Array.from(lines.values(), (lineReleases) => ({ newest: lastOf(lineReleases), releases: lineReleases }))
}

/** Finds a product by its current or a former benchmark id; the first one, if there are several. */
export function productNamed(products: readonly Product[], benchmarkId: string): Product | null {
  const isNamed = (release: Release): boolean => release.line === benchmarkId || release.benchmarkId === benchmarkId
  return products.find(({ releases }) => releases.some(isNamed)) ?? null
}

/**
 * Finds the release of a product with a version. Releases with the given benchmark id come before those with a former
 * one.
 */
export function releaseNamed({ releases }: Product, benchmarkId: string, version: string): Release | null {
  const ofVersion = releases.filter((release) => release.version === version)
  return ofVersion.find((release) => release.benchmarkId === benchmarkId) ?? ofVersion[0] ?? null
}

/** Finds a product by its current or a former benchmark id. Refuses an unknown id with 404. */
export async function findProduct(reader: Reader, benchmarkId: string): Promise<Product> {
  const product = productNamed(await findProducts(reader), benchmarkId)
  if (product === null) throw absentRefusal(`No benchmark in the catalogue has the id ${benchmarkId}.`)
  return product
}

/** Refuses an unknown benchmark or version with 404. */
export async function findRelease(reader: Reader, benchmarkId: string, version: string): Promise<ReleaseOfProduct> {
  const product = await findProduct(reader, benchmarkId)
  const release = releaseNamed(product, benchmarkId, version)
  if (release !== null) return { ...product, release }
  const versions = product.releases.map((other) => other.version).join(', ')
  throw absentRefusal(`${benchmarkId} has no release ${version} in the catalogue. It has: ${versions}.`)
}

/** Finds a release by its number on this instance. Refuses an unknown number, or another kind, with 404. */
export async function findNumbered(reader: Reader, id: number, kind: BenchmarkKind): Promise<ReleaseOfProduct> {
  for (const product of await findProducts(reader)) {
    const release = product.releases.find((candidate) => candidate.id === id && candidate.kind === kind)
    if (release !== undefined) return { ...product, release }
  }
  throw notFound()
}

const NAMES = ['rule_id', 'group_id', 'version'] as const

/** The part of a rule id that stays from release to release: `SV-257777` of `SV-257777r925318_rule`. */
const LASTING_ID = /^(SV-\d+)(?:r\d+)?(?:_rule)?$/

/**
 * Finds a rule by its rule id, group id (`V-257777`) or version (the STIG id), in this order; else by its rule id in
 * another revision, or without one. Refuses an unknown name with 404.
 */
export async function findNamedRule(reader: Reader, release: Release, name: string): Promise<StoredRule> {
  const rows = await findRows(reader, [release.id], name)
  const [row = rows[0]] = NAMES.flatMap((column) => rows.find((candidate) => candidate[column] === name) ?? [])
  const rule = row === undefined ? null : await findRuleAt(reader, release.id, row.position)
  if (rule !== null) return rule
  throw absentRefusal(`${release.benchmarkId} ${release.version} has no rule ${name}.`)
}

/** Returns those of the releases that have a rule with this name, in their order. */
export async function findReleasesWithRule(
  reader: Reader,
  among: readonly ReleaseOfProduct[],
  name: string,
): Promise<readonly ReleaseOfProduct[]> {
  const rows = await findRows(
    reader,
    among.map(({ release }) => release.id),
    name,
  )
  const ids = new Set(rows.map((row) => row.benchmark_id))
  return among.filter(({ release }) => ids.has(release.id))
}

/** Selects the rules of releases that may match a name. */
function findRows(reader: Reader, releases: readonly number[], name: string) {
  return reader
    .selectFrom('benchmark_rules')
    .select([...NAMES, 'position', 'benchmark_id'])
    .where('benchmark_id', 'in', releases)
    .where((is) => {
      const exact = NAMES.map((column) => is(column, '=', name))
      const [, lastingId] = LASTING_ID.exec(name) ?? []
      if (lastingId === undefined) return is.or(exact)
      return is.or([...exact, is('rule_id', '=', `${lastingId}_rule`), is('rule_id', 'like', `${lastingId}r%`)])
    })
    .orderBy('position')
    .execute()
}

function absentRefusal(detail: string): Refusal {
  return new Refusal('not_found', detail)
}

function lastOf(releases: readonly Release[]): Release {
  const last = releases.at(-1)
  if (last === undefined) throw new Error('A product has at least one release')
  return last
}
