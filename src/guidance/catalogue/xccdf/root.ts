import { Refusal } from '../../../platform/errors.ts'
import { shortenWords, type XmlName } from '../files/xml.ts'

const XCCDF = 'http://checklists.nist.gov/xccdf/'
export const XCCDF_VERSIONS: ReadonlyMap<string, '1.1' | '1.2'> = new Map([
  [`${XCCDF}1.1`, '1.1'],
  [`${XCCDF}1.2`, '1.2'],
])

const DATA_STREAMS = /^http:\/\/scap\.nist\.gov\/schema\/scap\/source\/1\.[23]$/

/** Other documents that people upload, by the name of their root element. */
const OTHER_ROOTS: ReadonlyMap<string, string> = new Map([
  ['TestResult', 'scan results, not a benchmark'],
  ['Tailoring', 'a tailoring of a benchmark, not a benchmark'],
  ['CHECKLIST', 'a CKL checklist, not an XCCDF benchmark'],
  ['asset-report-collection', 'scan results (ARF), not a benchmark'],
  ['oval_definitions', 'OVAL definitions, not a benchmark'],
  ['oval_results', 'OVAL results, not a benchmark'],
  ['oval_system_characteristics', 'OVAL system characteristics, not a benchmark'],
  ['ocil', 'an OCIL questionnaire, not a benchmark'],
  ['cpe-list', 'a CPE dictionary, not a benchmark'],
  ['cci_list', 'the list of CCIs, not a benchmark; it is reference data'],
  ['Weakness_Catalog', 'CWE, not a benchmark; it is reference data'],
  ['stylesheet', 'a stylesheet, not a benchmark'],
  ['html', 'an HTML page, not a benchmark'],
])

export function isBenchmark({ uri, local }: XmlName): boolean {
  return local === 'Benchmark' && XCCDF_VERSIONS.has(uri)
}

/** Whether documents with this root are read: a Benchmark, or SCAP data streams. */
export function isReadable(root: XmlName): boolean {
  return isBenchmark(root) || (root.local === 'data-stream-collection' && DATA_STREAMS.test(root.uri))
}

/** Refuses any other root (`not_a_benchmark`); the message names the type. */
export function checkRoot(root: XmlName): void {
  if (!isReadable(root)) throw new Refusal('not_a_benchmark', `${otherRoot(root)}.`)
}

/** The refusal of a Benchmark with test results at its end: the document is a report. */
export function refuseResults(line: number): Refusal {
  const root = OTHER_ROOTS.get('TestResult')
  const detail = `The Benchmark holds a TestResult: ${root} (line ${line}).`
  return new Refusal('not_a_benchmark', detail)
}

/** Names the type of a document with another root; without a full stop. */
export function otherRoot({ uri, local }: XmlName): string {
  const description = OTHER_ROOTS.get(local)
  if (description !== undefined) return `The file has the root element ${local}: ${description}`
  if (local !== 'Benchmark' && local !== 'data-stream-collection') {
    return `The file has the root element ${shortenWords(local)}; expected Benchmark`
  }
  const namespace = uri === '' ? 'no namespace' : `the namespace ${shortenWords(uri)}`
  return `The root element ${local} has ${namespace}; expected one of XCCDF 1.1 or 1.2, or of SCAP 1.2`
}
