/** The version of OSCAL that we write. */
export const OSCAL_VERSION = '1.2.2'

/** The name space of properties about CCIs and STIGs, which OSCAL does not define. */
export const DISA_NAMESPACE = 'https://public.cyber.mil/stigs'

/** Returns the address at which NIST publishes a revision of SP 800-53 in OSCAL. */
export function nistCatalogue(revision: 4 | 5): string {
  const folder = 'https://raw.githubusercontent.com/usnistgov/oscal-content/main/nist.gov/SP800-53'
  return `${folder}/rev${revision}/json/NIST_SP-800-53_rev${revision}_catalog.json`
}

/**
 * Returns the OSCAL id of a control: `ac-2.1` for `AC-2 (1)` and for its part `AC-2 (1) (a)`; null for any other text.
 */
export function oscalIdOf(control: string): string | null {
  const [, id, enhancement] = /^([A-Z]{2}-\d+)(?: ?\((\d+)\))?/.exec(control) ?? []
  if (id === undefined) return null
  return `${id.toLowerCase()}${enhancement === undefined ? '' : `.${enhancement}`}`
}
