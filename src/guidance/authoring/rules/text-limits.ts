/** In characters (contract, input length limits); of fields that are not named, 10,000. */
const LIMITS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    title: 500,
    version: 255,
    rule_weight: 255,
    ident: 2048,
    ident_system: 255,
    fixtext_fixref: 255,
    fix_id: 255,
    status_justification: 1000,
    inspec_control_body: 50_000,
    inspec_control_body_lang: 255,
    inspec_control_file: 50_000,
    inspec_control_file_lang: 255,
  }),
)

const LONGEST = 10_000

/** The longest text that a field may get, in characters. */
export function limitOf(field: string): number {
  return LIMITS.get(field) ?? LONGEST
}
