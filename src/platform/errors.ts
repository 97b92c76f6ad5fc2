/**
 * Every refusal of the program: an error that the caller can do something about.
 * `docs/errors.md` explains each code; a test compares the two lists both ways.
 */
export const REFUSALS = {
  bad_path: { status: 400, title: 'The path cannot be read' },
  bad_host: { status: 400, title: 'The host cannot be read' },
  malformed_request: { status: 400, title: 'The request cannot be read' },
  head_too_large: { status: 431, title: 'The head of the request is too large' },
  request_too_slow: { status: 408, title: 'The request did not arrive in time' },
  identifier_too_long: { status: 414, title: 'The identifier is too long' },
  unknown_prefix: { status: 404, title: 'The namespace prefix is not known' },
  subject_not_found: { status: 404, title: 'No such record in the release' },
  release_not_found: { status: 404, title: 'No such release' },
  release_is_active: { status: 409, title: 'The release is active' },
  no_earlier_release: { status: 409, title: 'No earlier release is known' },
  route_not_found: { status: 404, title: 'No such page' },
  range_not_satisfiable: { status: 416, title: 'No such part' },
  not_acceptable: { status: 406, title: 'Not available in an accepted format' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here' },
  overloaded: { status: 503, title: 'Too many answers are being prepared' },
  search_not_ready: { status: 503, title: 'The search is not ready yet' },
  answer_abandoned: { status: 503, title: 'The answer could not be prepared' },
  push_refused: { status: 422, title: 'The engine rejects the release' },
  engine_unavailable: { status: 503, title: 'The SPARQL engine does not answer' },
  release_unusable: { status: 503, title: 'The release cannot be opened' },
  shutting_down: { status: 503, title: 'The service is shutting down' },
  no_release: { status: 503, title: 'No ontology release is loaded yet' },
  query_malformed: { status: 400, title: 'The query cannot be read' },
  query_not_supported: { status: 400, title: 'The query uses an unsupported feature' },
  query_too_slow: { status: 422, title: 'The query takes too long' },
  query_too_demanding: { status: 422, title: 'The query needs too many resources' },
  graph_not_found: { status: 404, title: 'No such graph' },
  graphs_not_ready: { status: 503, title: 'The graphs are not ready yet' },
  malformed_json: { status: 400, title: 'The body is not JSON' },
  parameter_missing: { status: 400, title: 'Missing parameter' },
  parameter_invalid: { status: 400, title: 'A parameter cannot be used' },
  page_out_of_range: { status: 400, title: 'Page out of range' },
  unsupported_media_type: { status: 415, title: 'The media type is not supported' },
  answer_too_large: { status: 413, title: 'The answer is larger than the limit' },
  body_too_large: { status: 413, title: 'The body is too large' },
  validation_failed: { status: 422, title: 'The values cannot be accepted' },
  reference_data_absent: { status: 404, title: 'The reference data is not loaded' },
  edit_conflict: { status: 409, title: 'Somebody else has changed this' },
  rule_locked: { status: 409, title: 'The rule is locked' },
  not_found: { status: 404, title: 'Not found' },
  origin_not_allowed: { status: 403, title: 'The origin is not allowed' },
  permission_denied: { status: 403, title: 'Permission denied' },
  not_authenticated: { status: 401, title: 'Not authenticated' },
  invalid_token: { status: 401, title: 'Invalid or expired API token' },
  invalid_credentials: { status: 401, title: 'Invalid credentials' },
  account_locked: { status: 401, title: 'Account locked' },
  second_factor_required: { status: 401, title: 'A second factor is missing' },
  second_factor_wrong: { status: 401, title: 'The second factor is wrong' },
  sign_in_not_begun: { status: 401, title: 'No sign-in waits for a second factor' },
  session_timed_out: { status: 401, title: 'Session timed out' },
  consent_required: { status: 403, title: 'The terms of use must be accepted first' },
  second_factor_setup_required: { status: 403, title: 'A second factor must be set up first' },
  recent_sign_in_required: { status: 403, title: 'A recent sign-in is required' },
  local_login_disabled: { status: 403, title: 'Local login disabled' },
  registration_disabled: { status: 403, title: 'Accounts cannot be registered here' },
  session_authentication_required: { status: 403, title: 'Session authentication required' },
  ip_not_allowed: { status: 403, title: 'IP address not allowed' },
  insufficient_token_scope: { status: 403, title: 'Insufficient token scope' },
  invalid_csrf_token: { status: 403, title: 'The CSRF token is missing or wrong' },
  insecure_transport: { status: 400, title: 'The connection is not known to be secure' },
  incorrect_password: { status: 422, title: 'Incorrect password' },
  link_invalid: { status: 422, title: 'The link has expired, was used or is unknown' },
  mail_not_configured: { status: 422, title: 'This service sends no mail' },
  rate_limited: { status: 429, title: 'Too many requests' },
  identity_provider_refused: { status: 401, title: 'The single sign-on did not succeed' },
  identity_not_linked: { status: 403, title: 'The identity is not linked yet' },
  identity_provider_unavailable: { status: 502, title: 'The identity provider does not answer' },
  database_unavailable: { status: 503, title: 'The database does not answer' },
  storage_full: { status: 507, title: 'There is no space left to write' },
  storage_unwritable: { status: 503, title: 'The storage cannot be written' },
  attachment_infected: { status: 422, title: 'The file contains malware' },
  scan_unavailable: { status: 503, title: 'The file could not be scanned' },
  empty_file: { status: 422, title: 'The file is empty' },
  unsupported_file_type: { status: 422, title: 'Unsupported type of file' },
  too_large: { status: 413, title: 'The file is larger than the limit' },
  reading_too_long: { status: 422, title: 'Reading the file takes too long' },
  bad_zip: { status: 422, title: 'The zip cannot be used' },
  no_benchmark_in_zip: { status: 422, title: 'The zip holds no benchmark' },
  bad_encoding: { status: 422, title: 'The encoding of the file cannot be read' },
  xml_not_well_formed: { status: 422, title: 'The XML is not well-formed' },
  xml_too_deep: { status: 422, title: 'The XML is nested too deeply' },
  dtd_not_allowed: { status: 422, title: 'Document type declarations are not allowed' },
  not_a_benchmark: { status: 422, title: 'The file is not an XCCDF benchmark' },
  not_reference_data: { status: 422, title: 'The file is not reference data that is read' },
  unknown_benchmark_kind: { status: 422, title: 'Neither an SRG nor a STIG' },
  missing_field: { status: 422, title: 'A required field is missing' },
  field_too_long: { status: 422, title: 'A value is longer than the limit' },
  invalid_id: { status: 422, title: 'An identifier cannot be used' },
  duplicate_rule_id: { status: 422, title: 'Two rules have the same id' },
  duplicate_item_id: { status: 422, title: 'Two items of a list have the same id' },
  spreadsheet_unusable: { status: 422, title: 'The spreadsheet cannot be used' },
  merge_unusable: { status: 422, title: 'The file cannot be merged' },
  merge_undecided: { status: 409, title: 'The merge has open conflicts' },
  archive_unusable: { status: 422, title: 'The archive cannot be used' },
  nothing_imported: { status: 422, title: 'Nothing in the file could be imported' },
  database_missing: { status: 500, title: 'The database of this instance is missing' },
  database_unusable: { status: 500, title: 'The database cannot be used' },
  setting_invalid: { status: 500, title: 'A setting cannot be used' },
  package_missing: { status: 500, title: 'A package is not installed' },
  service_unreachable: { status: 503, title: 'No service answers' },
  source_not_found: { status: 422, title: 'A source does not exist' },
  source_unreachable: { status: 422, title: 'A source could not be fetched' },
  source_too_large: { status: 422, title: 'A source is larger than the limit' },
  source_format_unknown: { status: 422, title: 'The format of a source is not supported' },
  source_damaged: { status: 422, title: 'A release does not match its manifest' },
  source_syntax: { status: 422, title: 'A source is not well-formed' },
  source_empty: { status: 422, title: 'The sources contain no statements' },
  version_unknown: { status: 422, title: 'The release has no version or date' },
  version_taken: { status: 409, title: 'The version exists with other content' },
  checks_failed: { status: 422, title: 'The ontology fails its checks' },
  graph_too_tangled: { status: 422, title: 'The blank nodes cannot be named in reasonable time' },
  backup_unusable: { status: 422, title: 'The backup cannot be used' },
  target_not_empty: { status: 409, title: 'The target is not empty' },
  folder_unusable: { status: 422, title: 'The folder cannot be used' },
  usage: { status: 422, title: 'The command was called wrongly' },
} as const

export type RefusalCode = keyof typeof REFUSALS

export function isRefusalCode(code: string): code is RefusalCode {
  return Object.hasOwn(REFUSALS, code)
}

/** An error that the caller can mend. `detail` names the problem and its place, and contains nothing secret. */
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

/** Whether an error has this code of the system or a library. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
