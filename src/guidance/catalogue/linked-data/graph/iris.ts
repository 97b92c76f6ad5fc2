/** A benchmark release, as far as it is needed to name it. */
interface ReleaseName {
  readonly benchmarkId: string
  readonly version: string
}

/** The names of everything that the service says in RDF; all lie below its base URL. */
export interface Iris {
  /** The document that is the vocabulary. */
  readonly vocabulary: string
  /** What the vocabulary's terms begin with. */
  readonly namespace: string
  /** The named graph of lines and the order of their releases. */
  readonly releases: string
  /** The named graph of what is taken over from the ontology. */
  readonly controls: string
  /** What all releases of a product are versions of. */
  line(lineId: string): string
  /** One release, and the named graph with its statements. */
  benchmark(release: ReleaseName): string
  rule(release: ReleaseName, ruleId: string): string
  cci(id: string): string
  requirement(id: string): string
}

/** Names below a base URL that ends without a slash. The same id always has the same name. */
export function irisOf(baseUrl: string): Iris {
  const line = (lineId: string): string => `${baseUrl}/benchmarks/${encodeSegment(lineId)}`
  const benchmark = ({ benchmarkId, version }: ReleaseName): string =>
    `${line(benchmarkId)}/${encodeSegment(version)}`
  const vocabulary = `${baseUrl}/ns/guidance`
  return {
    vocabulary,
    namespace: `${vocabulary}#`,
    releases: `${baseUrl}/graphs/releases`,
    controls: `${baseUrl}/graphs/controls`,
    line,
    benchmark,
    rule: (release, ruleId) => `${benchmark(release)}/rules/${encodeSegment(ruleId)}`,
    cci: (id) => `${baseUrl}/ccis/${encodeSegment(id)}`,
    requirement: (id) => `${baseUrl}/requirements/${encodeSegment(id)}`,
  }
}

/** Most ids are nothing else. */
const UNRESERVED = /^[A-Za-z0-9._~-]*$/

/**
 * An id as one segment of a path: everything but unreserved characters (RFC 3986, §2.3) becomes
 * percent-encoded UTF-8, so that no id can end the segment or the IRI. Decodes to the same id; only
 * halves of characters, which no file can hold, become U+FFFD.
 */
export function encodeSegment(id: string): string {
  if (UNRESERVED.test(id)) return id
  return encodeURIComponent(wellFormed(id)).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** The text with U+FFFD in the place of each half of a character (unpaired surrogate). */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd')
}
