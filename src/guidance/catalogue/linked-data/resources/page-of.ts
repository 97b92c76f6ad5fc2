import type { Reader } from '../../../database/transaction.ts'
import { catalogueOf } from '../../benchmarks/catalogues.ts'
import { listedControl } from '../../benchmarks/listed-controls.ts'
import { latestOf, listReleases, type Release } from '../../benchmarks/releases.ts'
import { shortId } from '../../xccdf/id.ts'
import { decodeSegment } from '../graph/iris.ts'

const BENCHMARK = /^\/benchmarks\/([^/]+)(?:\/([^/]+)(?:\/rules\/([^/]+))?)?\/?$/
const NAMED = /^\/requirements\/([^/]+)\/?$/

/**
 * The path of the page that shows what an IRI of the catalogue names, of which this is the path: a benchmark, the newest of
 * a line, a rule in its benchmark, or what is found for a requirement. Null: there is none. Everybody may know, as lists of
 * benchmarks are open to all.
 */
export async function pageOfResource(reader: Reader, path: string): Promise<string | null> {
  const [, name] = NAMED.exec(path) ?? []
  if (name !== undefined) return `/search?q=${encodeURIComponent(decodeSegment(name))}`
  const [, benchmark, version, rule] = BENCHMARK.exec(path) ?? []
  if (benchmark === undefined) return null
  const id = shortId('benchmark', decodeSegment(benchmark))
  const release = findRelease(await listReleases(reader), id, version)
  if (release === undefined) return null
  const page = `/${catalogueOf(release.kind).path}/${release.id}`
  if (rule === undefined) return page
  return `${page}?rule=${encodeURIComponent(shortId('rule', decodeSegment(rule)))}`
}

/** The page of the CCI or control that has a name; null where DISA's list has none of that name. */
export function pageNamed(name: string): string | null {
  const control = listedControl(name)
  if (control === null) return null
  return `/${control.startsWith('CCI-') ? 'ccis' : 'controls'}/${encodeURIComponent(control)}`
}

/** Without a version, the newest that is in use under the id or a later name. */
function findRelease(releases: readonly Release[], id: string, version: string | undefined): Release | undefined {
  if (version === undefined) return latestOf(releases).find(({ line }) => line === id)
  const versionName = decodeSegment(version)
  return releases.find((release) => release.benchmarkId === id && release.version === versionName)
}
