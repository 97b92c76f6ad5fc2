import type { Reader } from '../../../database/transaction.ts'
import { listedControl } from '../../benchmarks/listed-controls.ts'
import { findProducts, productNamed } from '../../open/find.ts'
import { shortId } from '../../xccdf/id.ts'
import { decodeSegment, IRI_PATHS } from '../graph/iris.ts'

const BENCHMARK = /^\/benchmarks\/([^/]+)\/?$/
const ITEM = /^\/(?:attack|cwe)\/([^/]+)\/?$/

/**
 * Returns the path of the page for the IRI of a benchmark (its newest release), or of an item of ATT&CK or CWE; null if
 * there is none. No rights are needed, because lists of benchmarks are public.
 */
export async function pageOfResource(reader: Reader, path: string): Promise<string | null> {
  const [, item] = ITEM.exec(path) ?? []
  if (item !== undefined) return pageOfItem(decodeSegment(item).toUpperCase())
  const [, benchmark] = BENCHMARK.exec(path) ?? []
  if (benchmark === undefined) return null
  const id = shortId('benchmark', decodeSegment(benchmark))
  const product = productNamed(await findProducts(reader), id)
  return product === null ? null : IRI_PATHS.benchmark(product.newest)
}

/** Returns the page of an item. Tactics and mitigations of ATT&CK have no page of their own. */
function pageOfItem(id: string): string {
  if (/^T\d{4}(?:\.\d{3})?$/.test(id)) return `/offensive-technique/attack/${id}`
  if (/^CWE-\d+$/.test(id)) return `/weakness/cwe/${id}`
  return `/search?q=${encodeURIComponent(id)}`
}

/** Returns the path of the page of a CCI or control; null if DISA's list does not have the name. */
export function pageNamed(name: string): string | null {
  const control = listedControl(name)
  if (control === null) return null
  return `/${control.startsWith('CCI-') ? 'ccis' : 'controls'}/${encodeURIComponent(control)}`
}
