/** The fields of a release that its name is made from. */
interface ReleaseName {
  readonly benchmarkId: string
  readonly version: string
}

/** The fields of a version of reference data that its name is made from. */
interface ReferenceName {
  readonly kind: string
  readonly version: string
  /** SHA-256 (hex). */
  readonly digest: string
}

/** The IRIs of all resources that the service describes in RDF, below its base URL. */
export interface Iris {
  /** The document that defines the vocabulary. */
  readonly vocabulary: string
  /** The namespace of the terms. */
  readonly namespace: string
  /** The named graph with lines and the order of their releases. */
  readonly releases: string
  /** The named graph with statements from the ontology. */
  readonly controls: string
  /** The prefix of the graphs of reference data. */
  readonly references: string
  /** The product whose versions the releases are. */
  line(lineId: string): string
  /** One release, and the named graph with its statements. */
  benchmark(release: ReleaseName): string
  rule(release: ReleaseName, ruleId: string): string
  cci(id: string): string
  requirement(id: string): string
  /** A control of NIST SP 800-53. */
  control(id: string): string
  /** A technique, tactic or mitigation of ATT&CK. */
  attack(id: string): string
  /** An entry of CWE. */
  weakness(id: string): string
  /** A version of reference data, and the named graph with its statements. */
  reference(source: ReferenceName): string
}

/** Part of the name, because two editions may state the same version. */
const DIGEST_CHARACTERS = 12

/** IRIs below a base URL without a final slash. The same id always gets the same IRI. */
export function irisOf(baseUrl: string): Iris {
  const line = (lineId: string): string => `${baseUrl}/benchmarks/${encodeSegment(lineId)}`
  const benchmark = ({ benchmarkId, version }: ReleaseName): string => `${line(benchmarkId)}/${encodeSegment(version)}`
  const vocabulary = `${baseUrl}/ns/guidance`
  return {
    vocabulary,
    namespace: `${vocabulary}#`,
    releases: `${baseUrl}/graphs/releases`,
    controls: `${baseUrl}/graphs/controls`,
    references: `${baseUrl}/reference-data/`,
    line,
    benchmark,
    rule: (release, ruleId) => `${benchmark(release)}/rules/${encodeSegment(ruleId)}`,
    cci: (id) => `${baseUrl}/ccis/${encodeSegment(id)}`,
    requirement: (id) => `${baseUrl}/requirements/${encodeSegment(id)}`,
    control: (id) => `${baseUrl}/controls/${encodeSegment(id)}`,
    attack: (id) => `${baseUrl}/attack/${encodeSegment(id)}`,
    weakness: (id) => `${baseUrl}/cwe/${encodeSegment(id)}`,
    reference: ({ kind, version, digest }) =>
      `${baseUrl}/reference-data/${kind}/${encodeSegment(version)}/${digest.slice(0, DIGEST_CHARACTERS)}`,
  }
}

/** The paths of these IRIs. The page of a release, a rule, a requirement or a CCI is at its path. */
export const IRI_PATHS = irisOf('')

/** Matches most ids, which need no encoding. */
const UNRESERVED = /^[A-Za-z0-9._~-]*$/

/**
 * An id as one path segment: all but unreserved characters (RFC 3986, §2.3) become percent-encoded UTF-8, so that
 * no id can end the segment or the IRI. Decodes to the same id, except that unpaired surrogates, which no file can
 * contain, become U+FFFD.
 */
export function encodeSegment(id: string): string {
  if (UNRESERVED.test(id)) return id
  return encodeURIComponent(wellFormed(id)).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** Decodes a segment to an id. A segment with an invalid percent sign is returned as it is. */
export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** Replaces each unpaired surrogate with U+FFFD. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd')
}
