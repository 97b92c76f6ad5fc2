import type { Statement } from '../term.ts'
import type { Prefixes } from './prefixes.ts'
import { serialise } from './serialise.ts'
import { SYNTAXES, type SyntaxName } from './syntaxes.ts'

/** The RDF formats of answers: a syntax, and for JSON-LD a profile. */
export type RdfForm = 'turtle' | 'nTriples' | 'rdfXml' | 'jsonLd' | JsonLdProfile

/** Profiles of JSON-LD 1.1 (RFC 6906). Our documents are flat whichever it is. */
type JsonLdProfile = 'expanded' | 'compacted' | 'flattened'

const PROFILES = 'http://www.w3.org/ns/json-ld#'

const JSON_LD_PROFILES: readonly JsonLdProfile[] = ['expanded', 'compacted', 'flattened']

/** The syntaxes that there are for a description of something. */
const OFFERED = ['jsonLd', 'turtle', 'nTriples', 'rdfXml'] as const satisfies readonly SyntaxName[]

export const RDF_FORMS: readonly RdfForm[] = [...OFFERED, ...JSON_LD_PROFILES]

/** The media types of those. */
export const RDF_TYPES: readonly string[] = OFFERED.map((name) => SYNTAXES[name].mediaType)

/** The form of a media type that is offered; a profile that is unknown is ignored, as RFC 6906 has it. */
export function rdfFormOf(mediaType: string, profiles: readonly string[]): RdfForm | null {
  const syntax = OFFERED.find((name) => SYNTAXES[name].mediaType === mediaType)
  if (syntax !== 'jsonLd') return syntax ?? null
  const wanted = JSON_LD_PROFILES.find((profile) => profiles.includes(PROFILES + profile))
  return wanted ?? syntax
}

/** The media type with the profiles that are kept, where one was asked for. */
export function contentTypeOf(form: RdfForm): string {
  if (!isProfile(form)) return SYNTAXES[form].contentType
  const kept = form === 'expanded' ? form : 'compacted'
  return `${SYNTAXES.jsonLd.mediaType};profile="${PROFILES}${kept} ${PROFILES}flattened"`
}

function isProfile(form: RdfForm): form is JsonLdProfile {
  return JSON_LD_PROFILES.some((profile) => profile === form)
}

/** Statements in a form, in pieces. */
export function writeForm(statements: Iterable<Statement>, form: RdfForm, prefixes: Prefixes): Iterable<string> {
  if (!isProfile(form)) return serialise(statements, { syntax: form, prefixes })
  const kept = form === 'expanded' ? form : 'compacted'
  return serialise(statements, { syntax: 'jsonLd', form: kept, prefixes })
}

/** A Link header (RFC 8288) that says in what other types the same address answers. */
export function alternatesLink(): string {
  return RDF_TYPES.map((type) => `<>; rel="alternate"; type="${type}"`).join(', ')
}
