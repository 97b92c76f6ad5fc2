import type { Finding } from './finding.ts'

/** The CCIs of a rule, with the data to check them. */
export interface CitedControls {
  /** The text of the field: `CCI-000015, CCI-000366`. */
  readonly ident: string
  /** CCIs of the requirements that the rule meets: its own, and those of rules that it satisfies. */
  readonly required: readonly string[]
  /** The control that the author names: `AC-2 (1)`. */
  readonly iaControls: string
  /** The control of a CCI: `AC-2 (1)`; undefined for a CCI that is not in the list. */
  readonly controlOf: (cci: string) => string | undefined
}

const CCI = /\bCCI-\w+/gi
const CONTROL = /\b([A-Z]{2}-\d{1,2})\b/g
/** The control for settings in general; a requirement of it may have any subject. */
const ANY_SETTING = 'CM-6'

/** Revision 5 of NIST SP 800-53 moved these controls; lists of CCIs contain both numbers. */
const MOVED_CONTROLS: Readonly<Record<string, string>> = {
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

/** Finds CCIs that are not in the list, and CCIs of a control that is not one of the requirement. */
export function adviseOnControls(cited: CitedControls): readonly Finding[] {
  const citations = Array.from(cited.ident.matchAll(CCI), ({ 0: cci, index }) => ({
    cci,
    start: index,
    control: cited.controlOf(cci.toUpperCase()),
  }))
  const unknown = citations
    .filter(({ control }) => control === undefined)
    .map((citation) => findingOn(citation, 'cci_unknown', `${citation.cci} is not in the list of CCIs.`))
  return [...unknown, ...findForeignControls(cited, citations)]
}

function findForeignControls(cited: CitedControls, citations: readonly Citation[]): readonly Finding[] {
  const required = requiredControls(cited)
  if (required.size === 0 || required.has(ANY_SETTING)) return []
  const knownCitations = citations.filter(({ control }) => control !== undefined)
  const foreign = knownCitations.filter(
    ({ control = '' }) => !basesIn(control).some((base) => isRequired(base, required)),
  )
  // If one CCI belongs to the requirement, the others may be for further work of the rule.
  if (foreign.length < knownCitations.length) return []
  const requiredList = [...required].join(', ')
  return foreign
    .filter(({ control = '' }) => !basesIn(control).includes(ANY_SETTING))
    .map((citation) =>
      findingOn(
        citation,
        'cci_control',
        `${citation.cci} is of ${citation.control}; the requirement is of ${requiredList}.`,
      ),
    )
}

function isRequired(base: string, required: ReadonlySet<string>): boolean {
  return (
    required.has(base) ||
    [...required].some((control) => MOVED_CONTROLS[control] === base || MOVED_CONTROLS[base] === control)
  )
}

function findingOn({ cci, start }: Citation, code: 'cci_unknown' | 'cci_control', message: string): Finding {
  return { code, field: 'ident', checkId: null, start, end: start + cci.length, message, suggestion: null }
}

/** Controls without their enhancements: those that the author names, or else those of the requirements. */
function requiredControls({ required, iaControls, controlOf }: CitedControls): ReadonlySet<string> {
  const stated = basesIn(iaControls)
  if (stated.length > 0) return new Set(stated)
  return new Set(required.flatMap((cci) => basesIn(controlOf(cci) ?? '')))
}

function basesIn(text: string): readonly string[] {
  return Array.from(text.matchAll(CONTROL), ([, base = '']) => base)
}
