/**
 * Every refusal the program can utter: the caller did something it can mend.
 * `docs/errors.md` explains each code; a test compares the two lists both ways.
 */
export const REFUSALS = {
  bad_path: { status: 400, title: 'The path cannot be read' },
  identifier_too_long: { status: 414, title: 'The identifier is too long' },
  unknown_prefix: { status: 404, title: 'The namespace prefix is not known' },
  subject_not_found: { status: 404, title: 'The release holds no such record' },
  release_not_found: { status: 404, title: 'There is no such release' },
  route_not_found: { status: 404, title: 'There is nothing at this path' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here' },
  overloaded: { status: 503, title: 'Too many answers are being prepared' },
  no_release: { status: 503, title: 'No ontology release is loaded yet' },
  setting_invalid: { status: 500, title: 'A setting cannot be used' },
  source_not_found: { status: 422, title: 'A source does not exist' },
  source_unreachable: { status: 422, title: 'A source could not be fetched' },
  source_too_large: { status: 422, title: 'A source is larger than the limit' },
  source_format_unknown: { status: 422, title: 'The format of a source is not supported' },
  source_syntax: { status: 422, title: 'A source is not well-formed' },
  source_empty: { status: 422, title: 'The sources state nothing' },
  version_unknown: { status: 422, title: 'The release has no version or date' },
  version_taken: { status: 409, title: 'The version exists with other content' },
  checks_failed: { status: 422, title: 'The ontology fails its checks' },
  graph_too_tangled: { status: 422, title: 'The blank nodes cannot be named in reasonable time' },
  folder_unusable: { status: 422, title: 'The folder cannot be used' },
  usage: { status: 422, title: 'The command was called wrongly' },
} as const

export type RefusalCode = keyof typeof REFUSALS

/** The caller can act on this; `detail` names the problem and the place and is safe to show. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: RefusalCode
  readonly members: Readonly<Record<string, unknown>>

  constructor(code: RefusalCode, detail: string, members: Readonly<Record<string, unknown>> = {}) {
    super(detail)
    this.code = code
    this.members = members
  }
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
