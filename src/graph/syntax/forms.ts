import type { Statement } from '../term.ts'
import type { Prefixes } from './prefixes.ts'
import { serialise } from './serialise.ts'
import { SYNTAXES, type SyntaxName } from './syntaxes.ts'

/** The RDF formats of answers: a syntax, and for JSON-LD a profile. */
export type RdfForm = 'turtle' | 'nTriples' | 'rdfXml' | 'jsonLd' | JsonLdProfile

/** Profiles of JSON-LD 1.1 (RFC 6906). Our documents are flat in each of them. */
type JsonLdProfile = 'expanded' | 'compacted' | 'flattened'

const PROFILES = 'http://www.w3.org/ns/json-ld#'

const JSON_LD_PROFILES: readonly JsonLdProfile[] = ['expanded', 'compacted', 'flattened']

/** The syntaxes in which descriptions are available. */
const OFFERED = ['jsonLd', 'turtle', 'nTriples', 'rdfXml'] as const satisfies readonly SyntaxName[]

export const RDF_FORMS: readonly RdfForm[] = [...OFFERED, ...JSON_LD_PROFILES]

/** The media types of these syntaxes. */
export const RDF_TYPES: readonly string[] = OFFERED.map((name) => SYNTAXES[name].mediaType)

/** The form for an offered media type. Unknown profiles are ignored (RFC 6906). */
export function rdfFormOf(mediaType: string, profiles: readonly string[]): RdfForm | null {
  const syntax = OFFERED.find((name) => SYNTAXES[name].mediaType === mediaType)
  if (syntax !== 'jsonLd') return syntax ?? null
  const named = JSON_LD_PROFILES.find((profile) => profiles.includes(PROFILES + profile))
  return named ?? syntax
}

/** The media type, with the profiles of the document if one was requested. */
export function contentTypeOf(form: RdfForm): string {
  if (!isProfile(form)) return SYNTAXES[form].contentType
  const profile = form === 'expanded' ? form : 'compacted'
  return `${SYNTAXES.jsonLd.mediaType};profile="${PROFILES}${profile} ${PROFILES}flattened"`
}

function isProfile(form: RdfForm): form is JsonLdProfile {
  return JSON_LD_PROFILES.some((profile) => profile === form)
}

/** Statements in a form, in pieces. */
export function writeForm(statements: Iterable<Statement>, form: RdfForm, prefixes: Prefixes): Iterable<string> {
  if (!isProfile(form)) return serialise(statements, { syntax: form, prefixes })
  const profile = form === 'expanded' ? form : 'compacted'
  return serialise(statements, { syntax: 'jsonLd', form: profile, prefixes })
}

/** A Link header (RFC 8288) with the other media types of the same address. */
export function alternatesLink(): string {
  return RDF_TYPES.map((type) => `<>; rel="alternate"; type="${type}"`).join(', ')
}
