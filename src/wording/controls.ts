import type { Finding } from './finding.ts'

/** The CCIs of a rule, and what they are checked against. */
export interface CitedControls {
  /** As the field has it: `CCI-000015, CCI-000366`. */
  readonly ident: string
  /** CCIs of the requirements that the rule meets: its own, and those of rules that it satisfies. */
  readonly required: readonly string[]
  /** The control that the author names: `AC-2 (1)`. */
  readonly iaControls: string
  /** The control of a CCI: `AC-2 (1)`; undefined for one that nobody has published. */
  readonly controlOf: (cci: string) => string | undefined
}

const CCI = /\bCCI-\w+/gi
const CONTROL = /\b([A-Z]{2}-\d{1,2})\b/g
/** Settings in general: what such a requirement is about, only its author can know. */
const ANY_SETTING = 'CM-6'

/** Revision 5 of NIST SP 800-53 moved these controls; lists of CCIs contain both numbers. */
const MOVED: Readonly<Record<string, string>> = {
  'AU-8': 'SC-45',
  'CM-5': 'CM-14',
  'IA-4': 'AC-2',
  'IA-11': 'SC-11',
}

interface Citation {
  readonly cci: string
  readonly start: number
  readonly control: string | undefined
}

/** CCIs that nobody has published, and those of a control that is not the requirement's. */
export function adviseOnControls(cited: CitedControls): readonly Finding[] {
  const citations = Array.from(cited.ident.matchAll(CCI), ({ 0: cci, index }) => ({
    cci,
    start: index,
    control: cited.controlOf(cci.toUpperCase()),
  }))
  const unknown = citations
    .filter(({ control }) => control === undefined)
    .map((one) => findingOn(one, 'cci_unknown', `${one.cci} is not in the list of CCIs.`))
  return [...unknown, ...strangers(cited, citations)]
}

function strangers(cited: CitedControls, citations: readonly Citation[]): readonly Finding[] {
  const wanted = requiredControls(cited)
  if (wanted.size === 0 || wanted.has(ANY_SETTING)) return []
  const known = citations.filter(({ control }) => control !== undefined)
  const alien = known.filter(({ control = '' }) => !basesIn(control).some((base) => isRequired(base, wanted)))
  // Beside one that fits, others are of what the rule does more.
  if (alien.length < known.length) return []
  const listed = [...wanted].join(', ')
  return alien
    .filter(({ control = '' }) => !basesIn(control).includes(ANY_SETTING))
    .map((one) => findingOn(one, 'cci_control', `${one.cci} is of ${one.control}; the requirement is of ${listed}.`))
}

function isRequired(base: string, wanted: ReadonlySet<string>): boolean {
  return wanted.has(base) || [...wanted].some((one) => MOVED[one] === base || MOVED[base] === one)
}

function findingOn({ cci, start }: Citation, code: 'cci_unknown' | 'cci_control', message: string): Finding {
  const end = start + cci.length
  return { code, field: 'ident', checkId: null, start, end, message, suggestion: null }
}

/** Controls without their enhancements: what the author says, or what the requirements say. */
function requiredControls({ required, iaControls, controlOf }: CitedControls): ReadonlySet<string> {
  const stated = basesIn(iaControls)
  if (stated.length > 0) return new Set(stated)
  return new Set(required.flatMap((cci) => basesIn(controlOf(cci) ?? '')))
}

function basesIn(text: string): readonly string[] {
  return Array.from(text.matchAll(CONTROL), ([, base = '']) => base)
}
