import { encodeSegment } from '../linked-data/graph/iris.ts'

const BENCHMARKS = '/api/catalogue/benchmarks'

/** The fields of a release that its address is made from. */
export interface ReleaseAddress {
  readonly benchmarkId: string
  readonly version: string
}

export const LIST_ADDRESS = `${BENCHMARKS}.json`

/** The feed of new releases. */
export const FEED_ADDRESS = `${BENCHMARKS}.atom`

/** The rules of all products for a requirement. */
export function requirementAddress(requirement: string): string {
  return `/api/catalogue/requirements/${encodeSegment(requirement)}.json`
}

/** The versions of reference data. */
export const REFERENCE_ADDRESS = '/api/catalogue/reference-data.json'

/** CCIs, controls and techniques as a mapping collection of OSCAL. */
export const MAPPING_ADDRESS = '/api/catalogue/oscal/mapping-collection.json'

/** The address of a CCI; `all` is the list. */
export function cciAddress(id: string): string {
  return `/api/catalogue/ccis/${encodeSegment(id)}.json`
}

/** A control by its name without spaces: `AC-2(1)`. */
export function controlAddress(id: string, ending: 'json' | 'csv'): string {
  return `/api/catalogue/controls/${encodeSegment(id)}.${ending}`
}

/** The address of a technique of ATT&CK; `all` is the list. */
export function attackAddress(id: string): string {
  return `/api/catalogue/attack/${encodeSegment(id)}.json`
}

/** The address of an entry of CWE; `all` is the list. */
export function cweAddress(id: string): string {
  return `/api/catalogue/cwe/${encodeSegment(id)}.json`
}

/** The rules that apply to an attack. */
export function guidanceAddress(id: string): string {
  return `/api/catalogue/attack/${encodeSegment(id)}/guidance.json`
}

/** The hashes of the lists, and the addresses of the hashes of each release. */
export const HASHES_ADDRESS = '/api/catalogue/hashes.json'

/**
 * Addresses of the open catalogue consist of the publisher's names, so they are the same on every instance and after
 * another import.
 */
export function benchmarkAddress(benchmarkId: string): string {
  return `${BENCHMARKS}/${encodeSegment(benchmarkId)}.json`
}

export function releaseAddress(release: ReleaseAddress): string {
  return `${folderOf(release)}.json`
}

/** The names of the rules of a release. */
export function ruleListAddress(release: ReleaseAddress): string {
  return `${folderOf(release)}/rules.json`
}

export function ruleAddress(release: ReleaseAddress, ruleId: string): string {
  return `${folderOf(release)}/rules/${encodeSegment(ruleId)}.json`
}

/** The hashes of all documents of a release. */
export function hashesAddress(release: ReleaseAddress): string {
  return `${folderOf(release)}/hashes.json`
}

/** Both releases belong to the product of the newer one. */
export function changesAddress(from: ReleaseAddress, to: ReleaseAddress, ending: 'json' | 'csv'): string {
  return `${folderOf({ ...to, version: from.version })}/changes/${encodeSegment(to.version)}.${ending}`
}

/** A release as a file: as it was published, as a table, or as a blank checklist. */
export type FileEnding = 'xml' | 'csv' | 'ckl' | 'cklb'

export function fileAddress(release: ReleaseAddress, ending: FileEnding): string {
  return `${folderOf(release)}/${encodeSegment(release.benchmarkId)}.${ending}`
}

function folderOf({ benchmarkId, version }: ReleaseAddress): string {
  return `${BENCHMARKS}/${encodeSegment(benchmarkId)}/${encodeSegment(version)}`
}
