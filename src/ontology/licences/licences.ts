import { readQuery } from '../../graph/query.ts'
import { compareCodeUnits, type Term } from '../../graph/term.ts'
import type { Release } from '../release/release.ts'

const LICENCES = readQuery(new URL('./licences.rq', import.meta.url), ['licence'])

/** Each licence takes space in the headers of every answer. */
const MAX_LICENCES = 5
const MAX_IRI_LENGTH = 500

/** Ontologies also name their licence by its SPDX identifier. Other texts do not identify a licence. */
const SPDX = 'https://spdx.org/licenses/'
const BY_IDENTIFIER: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'Unlicense',
  'CC-BY-3.0',
  'CC-BY-4.0',
  'CC-BY-NC-4.0',
  'CC-BY-ND-4.0',
  'CC-BY-NC-ND-4.0',
  'CC-BY-NC-SA-4.0',
  'CC-BY-SA-3.0',
  'CC-BY-SA-4.0',
  'CC0-1.0',
  'ODbL-1.0',
  'ODC-By-1.0',
  'PDDL-1.0',
  'EPL-2.0',
  'EUPL-1.2',
  'MPL-2.0',
  'AGPL-3.0-only',
  'AGPL-3.0-or-later',
  'GPL-2.0-only',
  'GPL-2.0-or-later',
  'GPL-3.0-only',
  'GPL-3.0-or-later',
  'LGPL-2.1-only',
  'LGPL-2.1-or-later',
  'LGPL-3.0-only',
  'LGPL-3.0-or-later',
])

/** The licences that a release states, as IRIs. */
export async function findLicences(release: Release): Promise<readonly string[]> {
  const rows = await release.graph.select(LICENCES)
  return [...new Set(rows.flatMap(({ licence }) => iriOf(licence)))]
    .filter((iri) => iri.length <= MAX_IRI_LENGTH)
    .sort(compareCodeUnits)
    .slice(0, MAX_LICENCES)
}

function iriOf({ type, value }: Term): readonly string[] {
  if (type === 'uri') return [value]
  return type === 'literal' && BY_IDENTIFIER.has(value) ? [SPDX + value] : []
}

/** The members of a Link header (RFC 8288) that name the licences and the description of the data. */
export function licenceLinks(licences: readonly string[]): readonly string[] {
  const links = licences.map((iri) => `<${asciiOf(iri)}>; rel="license"`)
  return [...links, '</.well-known/void>; rel="describedby"']
}

/** IRIs may have letters that a header may not. */
function asciiOf(iri: string): string {
  return iri.replace(/[^\x21-\x7e]+|[<>"\\]/gu, (odd) => encodeURIComponent(odd))
}
