import { WELL_KNOWN_PREFIXES } from './vocabulary.ts'

/** A prefix of this name would make full IRIs unreadable. */
const SCHEMES = new Set(['file', 'http', 'https', 'mailto', 'tag', 'urn'])

/** Turns IRIs into prefixed names and back. The well-known prefixes cannot be redefined. */
export class Names {
  readonly prefixes: ReadonlyMap<string, string>
  readonly #byNamespace: ReadonlyMap<string, string>

  constructor(declared: Readonly<Record<string, string>>) {
    const usablePrefixes = Object.entries(declared).filter(
      ([prefix]) => !SCHEMES.has(prefix.toLowerCase()) && !(prefix in WELL_KNOWN_PREFIXES),
    )
    // The well-known ones come last, so that they win in both directions.
    const prefixes = [...usablePrefixes, ...Object.entries(WELL_KNOWN_PREFIXES)]
    this.prefixes = new Map(prefixes)
    this.#byNamespace = new Map(prefixes.map(([prefix, namespace]) => [namespace, prefix]))
  }

  /** `d3f:Process`, or the IRI itself if no prefix fits. Always expands back to the same IRI. */
  compact(iri: string): string {
    const hash = iri.lastIndexOf('#') + 1
    const slash = iri.lastIndexOf('/') + 1
    for (const nameStart of [Math.max(hash, slash), hash]) {
      const prefix = this.#byNamespace.get(iri.slice(0, nameStart))
      if (prefix !== undefined && nameStart < iri.length) return `${prefix}:${iri.slice(nameStart)}`
    }
    return iri
  }

  /** Reads a prefixed name; any other text with a colon is taken for a full IRI. */
  expand(name: string): string {
    const colon = name.indexOf(':')
    const namespace = this.prefixes.get(name.slice(0, Math.max(colon, 0)))
    return colon >= 0 && namespace !== undefined ? namespace + name.slice(colon + 1) : name
  }

  /** The undeclared prefix of a name that is not a full IRI; else null. */
  unknownPrefix(name: string): string | null {
    const match = /^([^:/]*):(?!\/\/)/.exec(name)
    return match?.[1] === undefined || this.prefixes.has(match[1]) ? null : match[1]
  }
}
