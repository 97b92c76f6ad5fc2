import { CHECK_CONTENT, CHECK_FIELDS } from './check-fields.ts'
import type { FieldRow } from './field-row.ts'
import { FIELDS } from './fields.ts'

export type Field = (typeof FIELDS)[number]

export const RULE_FIELDS = FIELDS.filter((field) => field.within === 'rule')
export const DESCRIPTION_FIELDS = FIELDS.filter((field) => field.within === 'description')
export const DESCRIPTION_TEXTS = namesOf(DESCRIPTION_FIELDS.filter((field) => field.kind === 'text'))
/** All of them belong to the description. */
export const FLAGS = namesOf(FIELDS.filter((field) => field.kind === 'flag'))
export const CHECK_COLUMNS = namesOf(CHECK_FIELDS)

/** XCCDF files have these fields; the catalogue uses the same names. */
export const DISCUSSION_FIELDS = FIELDS.filter((field) => field.xccdf !== null)
/** Fields of a description that only authors write, and no XCCDF file has. */
export const ADDED_FIELDS = DESCRIPTION_FIELDS.filter((field) => field.xccdf === null)
export const DISCUSSION_TEXTS = namesOf(DISCUSSION_FIELDS.filter((field) => field.kind === 'text'))
export const DISCUSSION_FLAGS = namesOf(DISCUSSION_FIELDS.filter((field) => field.kind === 'flag'))

/** Tags in the description of a rule in XCCDF; the others are elements of the rule. */
export const TAGGED_FIELDS = DISCUSSION_FIELDS.filter((field) => isAs('tag', field))
export const ELEMENT_FIELDS = DISCUSSION_FIELDS.filter((field) => isAs('element', field))

function isAs(place: 'tag' | 'element', { xccdf }: Pick<FieldRow, 'xccdf'>): boolean {
  return xccdf?.as === place
}

/** Authors can write these fields in a sheet. */
export const SHEET_FIELDS = FIELDS.filter((field) => field.sheet !== null)
export const SHEET_TEXTS = SHEET_FIELDS.filter((field) => field.kind === 'text')
export const SHEET_COLUMNS = SHEET_FIELDS.map(({ sheet }) => sheet)

/** The first fields of the form (DISA's process guide for vendors); the others follow in the order of the table. */
const FORM_ORDER = [
  'status',
  'rule_severity',
  'severity_override_guidance',
  'title',
  'vuln_discussion',
  'rationale',
  'content',
  'fixtext',
  'status_justification',
  'artifact_description',
  'mitigations_available',
  'mitigations',
  'mitigation_control',
  'poam_available',
  'poam',
  'vendor_comments',
  'inspec_control_body',
  'documentable',
  'false_positives',
  'false_negatives',
  'potential_impacts',
  'third_party_tools',
  'responsibility',
  'ia_controls',
  'version',
  'rule_weight',
  'fix_id',
]

/** The fields of the form, in its order. */
export const FORM_FIELDS: readonly FieldRow[] = ordered(FORM_ORDER, [...FIELDS, CHECK_CONTENT])

/** The fields for which a comment can suggest a text. */
export const SUGGESTED_FIELDS = ordered(FORM_ORDER, [...FIELDS, CHECK_CONTENT]).filter(
  (field) => field.kind === 'text' || field.kind === 'required',
)
export type SuggestedName = (typeof SUGGESTED_FIELDS)[number]['name']

/** The fields that a status can require. */
export const REQUIRED_FIELDS = FIELDS.filter((field) => field.required !== null)

/** Whether a rule with this status has to have the field. */
export function isRequired({ required }: Pick<FieldRow, 'required'>, status: string): boolean {
  return required !== null && required.by.some((candidate) => candidate === status)
}

/** Advice reads these texts, and the checks. */
export const ADVISED_FIELDS = FIELDS.filter((field) => field.advised !== null)
export const ADVISED_TEXTS = ADVISED_FIELDS.filter((field) => field.kind === 'text')

/** The most informative first, because results of a search quote the first field with the words. */
const SEARCH_ORDER = ['title', 'fixtext', 'vuln_discussion', 'content', 'mitigations', 'vendor_comments']

const SEARCHED_FIELDS_IN_ORDER = ordered(SEARCH_ORDER, [...FIELDS, CHECK_CONTENT])

/** The search, and find and replace, look into these texts; `content` is that of the checks. */
export const SEARCHED_FIELDS = SEARCHED_FIELDS_IN_ORDER.filter((field) => field.searched)
export type SearchedName = (typeof SEARCHED_FIELDS)[number]['name']
/** Their names in the API of find and replace, where a check is a text of the rule. */
export const SEARCHED_TEXTS = namesOf(SEARCHED_FIELDS).map((name) =>
  name === 'content' ? ('check_content' as const) : name,
)
export type SearchedText = (typeof SEARCHED_TEXTS)[number]
/** Searched fields that are columns of a rule. */
export const SEARCHED_COLUMNS = namesOf(SEARCHED_FIELDS.filter((field) => field.within !== 'check'))
/** Searched fields that the catalogue has under the same names. */
export const SEARCHED_DISCUSSION = namesOf(SEARCHED_FIELDS.filter((field) => field.xccdf !== null))

/** The fields in the order of some names; the others after those, as they are. */
function ordered<F extends { readonly name: string }>(names: readonly string[], fields: readonly F[]): F[] {
  const first = names.flatMap((name) => fields.filter((field) => field.name === name))
  return [...first, ...fields.filter(({ name }) => !names.includes(name))]
}

export function namesOf<F extends { readonly name: string }>(fields: readonly F[]): F['name'][] {
  return fields.map(({ name }) => name)
}
